import { type Bucket, bucketEnd } from "../../../core/buckets.ts";
import { timeRangeStartMs } from "../../../core/timeRangeStart.ts";
import type { TimeRange } from "../../../core/timeRanges.ts";

/**
 * Return the time of a number: the part of its bucket that is within the time range of its answer, or all of that range.
 *
 * @param answeredMs - when the answer was computed, in milliseconds since 1970
 */
export function pointRangeOf(bucket: Bucket | undefined, timeRange: TimeRange, timezone: string, answeredMs: number): TimeRange {
  if (!bucket) return timeRange;
  const startMs = Math.max(bucket.startMs, timeRangeStartMs(timeRange, answeredMs, timezone));
  const rangeEndMs = "to" in timeRange ? Date.parse(timeRange.to) : Infinity;
  const endMs = Math.min(bucketEnd(bucket.startMs, bucket.interval, timezone), rangeEndMs);
  return startMs < endMs ? { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() } : timeRange;
}
