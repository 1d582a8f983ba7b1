import { type Interval, localTimeAt, momentOf } from "./time.ts";

const SECONDS = { minute: 60, hour: 3_600, day: 86_400, week: 7 * 86_400 } as const;

/** A unit of time that begins at a moment, in milliseconds since 1970. */
export interface Bucket {
  startMs: number;
  interval: Interval;
}

/** Buckets of one length, from the first to the last, by when these begin. */
export interface Buckets {
  firstMs: number;
  lastMs: number;
  interval: Interval;
}

/** Return when a bucket that begins at a moment ends, on the clocks of a zone; both in milliseconds since 1970. */
export function bucketEnd(startMs: number, interval: Interval, zone: string): number {
  const localStart = localTimeAt(startMs / 1_000, zone);
  if (interval === "minute" || interval === "hour") return stepEnd(startMs / 1_000, localStart, SECONDS[interval], zone) * 1_000;
  // A day whose midnight the clocks skip begins after it, and ends at the next midnight all the same.
  const localMidnight = localStart - (localStart % SECONDS.day);
  return momentOf(interval === "month" ? nextMonth(localStart) : localMidnight + SECONDS[interval], zone) * 1_000;
}

/** Return when an hour or a minute ends. One in which clocks change by a part of it is longer or shorter (rules/questions#buckets). */
function stepEnd(start: number, localStart: number, step: number, zone: string): number {
  const localEnd = localStart - (localStart % step) + step;
  const end = start + localEnd - localStart;
  return end + Math.max(localEnd - localTimeAt(end, zone), 0) % step;
}

function nextMonth(localTime: number): number {
  const date = new Date(localTime * 1_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1_000;
}
