import { type Buckets, bucketEnd } from "../core/buckets.ts";
import { timeRangeStartMs } from "../core/timeRangeStart.ts";
import type { TimeRange } from "../core/timeRanges.ts";

/**
 * Return the time of some buckets of an answer: the part that is within the time range of the answer, or all of that range.
 *
 * @param answeredMs - when the answer was computed, in milliseconds since 1970
 */
export function bucketsRange({ firstMs, lastMs, interval }: Buckets, timeRange: TimeRange, timezone: string, answeredMs: number): TimeRange {
  const startMs = Math.max(firstMs, timeRangeStartMs(timeRange, answeredMs, timezone));
  const rangeEndMs = "to" in timeRange ? Date.parse(timeRange.to) : Infinity;
  const endMs = Math.min(bucketEnd(lastMs, interval, timezone), rangeEndMs);
  return startMs < endMs ? { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() } : timeRange;
}
