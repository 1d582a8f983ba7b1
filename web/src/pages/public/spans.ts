import { ROLLING, isRangeName, rangeInWords } from "../../core/spans.ts";

const ROLLING_NAMES = new Set<string>([...ROLLING, "12mo"]);

/** Say which time the numbers are about: "Last 7 days", "Last hour", "This month". */
export function shownSpan(name: string): string {
  if (!isRangeName(name)) return name;
  const words = rangeInWords(name);
  return ROLLING_NAMES.has(name) ? `Last ${words.replace(/^1 /, "")}` : words;
}

/** Put a description and the span into one line, with a full stop between them. */
export function described(description: string | null, span: string): string {
  const text = description?.trim() ?? "";
  if (text === "") return span;
  return `${text}${/[.!?…。]$/.test(text) ? "" : "."} ${span}.`;
}
