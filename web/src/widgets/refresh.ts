import type { TimeRange } from "../core/timeRanges.ts";

const MINUTE = 60_000;

/** Return after how many milliseconds an answer over a time range is asked for again: a long time range changes slowly. */
export function refreshMs(timeRange: TimeRange): number {
  if (!("timeRange" in timeRange)) return 15 * MINUTE;
  if (timeRange.timeRange === "1h") return MINUTE / 2;
  if (timeRange.timeRange === "24h" || timeRange.timeRange === "today") return MINUTE;
  return timeRange.timeRange === "7d" || timeRange.timeRange === "wtd" ? 5 * MINUTE : 15 * MINUTE;
}
