import type { Span } from "../core/spans.ts";

const MINUTE = 60_000;

/** Return after how many milliseconds an answer over a span is asked for again: a long span changes slowly. */
export function refreshMs(span: Span): number {
  if (!("timeRange" in span)) return 15 * MINUTE;
  if (span.timeRange === "1h") return MINUTE / 2;
  if (span.timeRange === "24h" || span.timeRange === "today") return MINUTE;
  return span.timeRange === "7d" || span.timeRange === "wtd" ? 5 * MINUTE : 15 * MINUTE;
}
