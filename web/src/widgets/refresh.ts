import type { TimeRange } from "../core/timeRanges.ts";

const MINUTE_MS = 60_000;

/** Return after how many milliseconds an answer over a time range is asked for again: a long time range changes slowly. */
export function refreshMsOf(timeRange: TimeRange): number {
  if (!("timeRange" in timeRange)) return 15 * MINUTE_MS;
  if (timeRange.timeRange === "1h") return MINUTE_MS / 2;
  if (timeRange.timeRange === "24h" || timeRange.timeRange === "today") return MINUTE_MS;
  return timeRange.timeRange === "7d" || timeRange.timeRange === "wtd" ? 5 * MINUTE_MS : 15 * MINUTE_MS;
}
