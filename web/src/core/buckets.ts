import { type Interval, localTimeAt, momentOf } from "./time.ts";

const SECONDS = { minute: 60, hour: 3_600, day: 86_400, week: 7 * 86_400 } as const;

/** A unit of time that begins at a moment, in milliseconds since 1970. */
export interface Bucket {
  startMs: number;
  interval: Interval;
}

/** Return when a bucket that begins at a moment ends, on the clocks of a zone; both in milliseconds since 1970. */
export function bucketEnd(startMs: number, interval: Interval, zone: string): number {
  if (interval === "minute" || interval === "hour") return startMs + SECONDS[interval] * 1_000;
  const localStart = localTimeAt(startMs / 1_000, zone);
  return momentOf(interval === "month" ? nextMonth(localStart) : localStart + SECONDS[interval], zone) * 1_000;
}

function nextMonth(localTime: number): number {
  const date = new Date(localTime * 1_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1_000;
}
