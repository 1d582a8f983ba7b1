import { type TimeRange, rangeInWords } from "../core/timeRanges.ts";

/** Name the column with the first event of each row in a time range: "First in 7 days", "First this month"; "First seen" of all time. */
export function firstSeenHead(timeRange: TimeRange): string {
  return isAllTime(timeRange) ? "First seen" : `First ${withinWords(timeRange)}`;
}

/** Name the column with the last event of each row. In a range that goes on, it is when they were last seen at all. */
export function lastSeenHead(timeRange: TimeRange): string {
  return hasEnded(timeRange) ? `Last ${withinWords(timeRange)}` : "Last seen";
}

function withinWords(timeRange: TimeRange): string {
  if (!("timeRange" in timeRange)) return "in range";
  const words = rangeInWords(timeRange.timeRange).toLowerCase();
  return /^(\d|last )/.test(words) ? `in ${words}` : words;
}

const isAllTime = (timeRange: TimeRange): boolean => "timeRange" in timeRange && timeRange.timeRange === "all";
const hasEnded = (timeRange: TimeRange): boolean => !("timeRange" in timeRange) || ["yesterday", "last_week", "last_month"].includes(timeRange.timeRange);
