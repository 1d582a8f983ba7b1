import { ROLLING, isRangeName, rangeInWords } from "../../core/timeRanges.ts";

const ROLLING_NAMES = new Set<string>([...ROLLING, "12mo"]);

/** Say which time the numbers are about: "Last 7 days", "Last hour", "This month". */
export function savedTimeRangeInWords(name: string): string {
  if (!isRangeName(name)) return name;
  const words = rangeInWords(name);
  return ROLLING_NAMES.has(name) ? `Last ${words.replace(/^1 /, "")}` : words;
}

/** Put a description and the time range into one line, with a full stop between them. */
export function joinWithFullStop(description: string | null, timeRangeWords: string): string {
  const text = description?.trim() ?? "";
  if (text === "") return timeRangeWords;
  return `${text}${/[.!?…。]$/.test(text) ? "" : "."} ${timeRangeWords}.`;
}
