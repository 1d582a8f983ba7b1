/** The ways to put a picture somewhere. */
export const EMBEDS = ["URL", "Markdown", "HTML"] as const;
export type Embed = (typeof EMBEDS)[number];

/** Return the text that shows a picture; `alt` says what is in it. */
export function embedCodeOf(kind: Embed, url: string, alt: string): string {
  if (kind === "Markdown") return `![${alt.replace(/[\\[\]]/g, "\\$&")}](${url})`;
  return kind === "HTML" ? `<img src="${escapeMarkup(url)}" alt="${escapeMarkup(alt)}">` : url;
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
