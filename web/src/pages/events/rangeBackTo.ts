import type { RangeName } from "../../core/timeRanges.ts";

const HOUR_MS = 3_600_000;
const RANGE_HOURS = [
  ["1h", 1],
  ["24h", 24],
  ["7d", 168],
  ["30d", 720],
  ["90d", 2_160],
] as const;

/** Return the shortest time range that ends now and holds a moment, with some time to spare. */
export function rangeBackTo(timestamp: string, now: number): RangeName {
  const ageHours = (now - Date.parse(timestamp)) / HOUR_MS;
  return RANGE_HOURS.find(([, rangeHours]) => ageHours < rangeHours * 0.98)?.[0] ?? "all";
}
