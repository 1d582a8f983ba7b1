/** The types of widgets that have no picture. */
const TYPES_WITHOUT_PICTURE = new Set(["external", "note", "table"]);

/** Return the HTML that puts a public dashboard into a page of others. */
export function embedCode(address: string, name: string): string {
  const title = escapeAttribute(name);
  return `<iframe src="${address}?embed=1" title="${title}" width="100%" height="800" loading="lazy" style="border:0"></iframe>`;
}

/** Return the Markdown that shows the picture of a public widget, light or dark as its reader prefers; null if it has none. */
export function pictureCode(origin: string, slug: string, widget: { id: string; title: string; type: string }): string | null {
  if (TYPES_WITHOUT_PICTURE.has(widget.type)) return null;
  const title = widget.title.replace(/[[\]\\]/g, "\\$&") || widget.type;
  return `![${title}](${origin}/custom/widgets/${slug}/${widget.id}.svg?theme=auto)`;
}

const escapeAttribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
