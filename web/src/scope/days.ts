import { type TimeRange, rangeInWords } from "../core/timeRanges.ts";

const DAY_MS = 86_400_000;

/** Return the day ("2026-11-20") on which a moment falls in a zone. */
export function dayOf(moment: string | number, timezone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(new Date(moment));
}

/** Return the time range of whole days from the first to the last in a zone; null if they are out of order or no days. */
export function timeRangeOfDays(first: string, last: string, timezone: string): TimeRange | null {
  if (!isDay(first) || !isDay(last) || first > last) return null;
  const after = new Date(Date.parse(`${last}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { from: midnight(first, timezone), to: midnight(after, timezone) };
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Return the first moment of a day in a zone, also where its midnight does not exist. */
function midnight(day: string, timezone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`);
  let low = utc - DAY_MS;
  let high = utc + DAY_MS;
  // The days of a zone come in order, so the first moment of one is found by halving.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayOf(middle, timezone) >= day) high = middle;
    else low = middle;
  }
  return new Date(high).toISOString();
}

/** Name a time range: "7 days", "This month", "1 to 14 Nov 2026". */
export function timeRangeInWords(timeRange: TimeRange, timezone: string): string {
  if ("timeRange" in timeRange) return rangeInWords(timeRange.timeRange);
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, day: "numeric", month: "short", year: "numeric" });
  const isWholeDays = isMidnight(timeRange.from, timezone) && isMidnight(timeRange.to, timezone);
  const last = isWholeDays ? Date.parse(timeRange.to) - 1 : Date.parse(timeRange.to);
  return format.formatRange(new Date(timeRange.from), new Date(last));
}

const isMidnight = (moment: string, timezone: string): boolean =>
  midnight(dayOf(moment, timezone), timezone) === new Date(moment).toISOString();
