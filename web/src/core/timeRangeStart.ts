import type { RangeName, TimeRange } from "./timeRanges.ts";
import { momentOf, localTimeAt } from "./time.ts";

const HOUR_MS = 3_600_000;
const DAY_S = 86_400;
const HOURS_BY_RANGE: Partial<Record<RangeName, number>> = { "1h": 1, "24h": 24, "7d": 168, "30d": 720, "90d": 2_160 };
/** Time ranges of the past: no event can come into them any more, but for late ones. */
const PAST_RANGES = new Set(["yesterday", "last_week", "last_month"]);

/** Return whether a time range reaches up to now, so that new events belong to it. */
export function reachesNow(timeRange: TimeRange, now: number): boolean {
  return "timeRange" in timeRange ? !PAST_RANGES.has(timeRange.timeRange) : Date.parse(timeRange.to) > now;
}

/** Return the beginning of a time range that reaches up to now, in milliseconds since 1970. */
export function timeRangeStartMs(timeRange: TimeRange, now: number, timezone: string): number {
  if ("from" in timeRange) return Date.parse(timeRange.from);
  const rangeHours = HOURS_BY_RANGE[timeRange.timeRange];
  if (rangeHours !== undefined) return now - rangeHours * HOUR_MS;
  const localTime = new Date(localTimeAt(now / 1_000, timezone) * 1_000);
  const [year, month, day] = [localTime.getUTCFullYear(), localTime.getUTCMonth(), localTime.getUTCDate()];
  const monday = day - ((localTime.getUTCDay() + 6) % 7);
  const startMsByName: Record<string, number> = {
    today: Date.UTC(year, month, day),
    yesterday: Date.UTC(year, month, day) - DAY_S * 1_000,
    wtd: Date.UTC(year, month, monday),
    last_week: Date.UTC(year, month, monday - 7),
    mtd: Date.UTC(year, month, 1),
    last_month: Date.UTC(year, month - 1, 1),
    ytd: Date.UTC(year, 0, 1),
    "12mo": Date.UTC(year, month - 11, 1),
  };
  const startMs = startMsByName[timeRange.timeRange];
  return startMs === undefined ? 0 : momentOf(startMs / 1_000, timezone) * 1_000;
}

/** Return the shortest time range that ends now and holds a moment, with some time to spare. */
export function rangeBackTo(timestamp: string, now: number): RangeName {
  const ageHours = (now - Date.parse(timestamp)) / HOUR_MS;
  const rangeHours = Object.entries(HOURS_BY_RANGE) as [RangeName, number][];
  return rangeHours.find(([, hours]) => ageHours < hours * 0.98)?.[0] ?? "all";
}
