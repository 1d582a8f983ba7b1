/** A piece of running text. A link leads to an https address and nowhere else. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "bold" | "italic"; content: Inline[] }
  | { type: "link"; href: string; content: Inline[] };

/** A part of a note. */
export type Block =
  | { type: "heading"; depth: number; content: Inline[] }
  | { type: "paragraph"; lines: Inline[][] }
  | { type: "list"; isOrdered: boolean; items: Inline[][] }
  | { type: "code"; text: string };

const HEADING = /^(#{1,6})\s+(\S.*)$/;
const ITEM = /^\s{0,3}(?:([-*+])|\d{1,9}[.)])\s+(\S.*)$/;
const FENCE = /^\s{0,3}```/;
const INLINE =
  /`([^`]+)`|\*\*(\S(?:.*?\S)?)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*|(?<![\p{L}\p{N}_])_([^\s_](?:[^_]*[^\s_])?)_(?![\p{L}\p{N}_])|\[([^\]]+)\]\(([^()\s]+)\)/gu;
const MAX_LEVELS = 8;

/** Read a note: headings, paragraphs, lists, code, bold, italics and links. HTML is text as any other. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  for (let lineIndex = 0; lineIndex < lines.length; ) {
    const line = lines[lineIndex] ?? "";
    if (FENCE.test(line)) {
      const fenceEnd = lines.findIndex((candidateLine, index) => index > lineIndex && FENCE.test(candidateLine));
      blocks.push({ type: "code", text: lines.slice(lineIndex + 1, fenceEnd < 0 ? undefined : fenceEnd).join("\n") });
      lineIndex = fenceEnd < 0 ? lines.length : fenceEnd + 1;
    } else {
      addLine(blocks, line, lines[lineIndex - 1] ?? "");
      lineIndex += 1;
    }
  }
  return blocks;
}

/** Add a line: to the block before, if it continues that, or as a block of its own. */
function addLine(blocks: Block[], line: string, lineBefore: string): void {
  if (line.trim() === "") return;
  const lastBlock = lineBefore.trim() === "" ? undefined : blocks.at(-1);
  const [, marks, title] = HEADING.exec(line) ?? [];
  if (marks !== undefined && title !== undefined) {
    // One deeper than the heading before at most, so that no level is left out.
    const depthBefore = blocks.findLast((block) => block.type === "heading")?.depth ?? 0;
    blocks.push({ type: "heading", depth: Math.min(marks.length, depthBefore + 1), content: inlinesOf(title.replace(/\s+#+\s*$/, "")) });
    return;
  }
  const [, bullet, item] = ITEM.exec(line) ?? [];
  if (item !== undefined) {
    const isOrdered = bullet === undefined;
    const list = blocks.at(-1);
    if (list?.type === "list" && list.isOrdered === isOrdered) list.items.push(inlinesOf(item));
    else blocks.push({ type: "list", isOrdered, items: [inlinesOf(item)] });
  } else if (lastBlock?.type === "paragraph") {
    lastBlock.lines.push(inlinesOf(line.trim()));
  } else {
    blocks.push({ type: "paragraph", lines: [inlinesOf(line.trim())] });
  }
}

/** Read bold, italics, code and links within a line. */
export function inlinesOf(text: string, level = 0): Inline[] {
  if (level > MAX_LEVELS) return [{ type: "text", text }];
  const inlines: Inline[] = [];
  let textStart = 0;
  for (const match of text.matchAll(INLINE)) {
    const piece = pieceOf(match, level);
    if (!piece) continue;
    if (match.index > textStart) inlines.push({ type: "text", text: text.slice(textStart, match.index) });
    inlines.push(piece);
    textStart = match.index + match[0].length;
  }
  return textStart < text.length ? [...inlines, { type: "text", text: text.slice(textStart) }] : inlines;
}

function pieceOf([, code, bold, starred, underscored, label, href]: RegExpExecArray, level: number): Inline | null {
  if (code !== undefined) return { type: "code", text: code };
  if (bold !== undefined) return { type: "bold", content: inlinesOf(bold, level + 1) };
  const italic = starred ?? underscored;
  if (italic !== undefined) return { type: "italic", content: inlinesOf(italic, level + 1) };
  const safeHref = safeAddress(href ?? "");
  return safeHref === null ? null : { type: "link", href: safeHref, content: withoutLinks(inlinesOf(label ?? "", level + 1)) };
}

/** Return an address that a note may link to; null for every other. */
export function safeAddress(href: string): string | null {
  if (!/^https:\/\//i.test(href) || !URL.canParse(href)) return null;
  const url = new URL(href);
  return url.protocol === "https:" && url.username === "" && url.password === "" ? url.href : null;
}

/** A link within a link would not work. */
function withoutLinks(content: Inline[]): Inline[] {
  return content.flatMap((inline) => {
    if (inline.type === "link") return withoutLinks(inline.content);
    return "content" in inline ? [{ ...inline, content: withoutLinks(inline.content) }] : [inline];
  });
}
