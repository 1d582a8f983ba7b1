import { localTimeAt, toMilliseconds } from "../core/time.ts";
import { type TimeRange, rangeInWords } from "../core/timeRanges.ts";

const DAY_MS = 86_400_000;

/** Return the day ("2026-11-20") on which a moment falls in a zone. */
export function dayOf(moment: string | number, timezone: string): string {
  return new Date(localTimeAt(toMilliseconds(moment) / 1_000, timezone) * 1_000).toISOString().slice(0, 10);
}

/** Return the day that is some days later. */
export const addDays = (day: string, dayCount: number): string => new Date(midnightMs(day) + dayCount * DAY_MS).toISOString().slice(0, 10);

const midnightMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Return the time range of whole days from the first to the last in a zone; null if they are out of order or no days. */
export function timeRangeOfDays(firstDay: string, lastDay: string, timezone: string): TimeRange | null {
  if (!isDay(firstDay) || !isDay(lastDay) || firstDay > lastDay) return null;
  return { from: dayStart(firstDay, timezone), to: dayStart(addDays(lastDay, 1), timezone) };
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Return the first moment of a day in a zone, also where its midnight does not exist. */
function dayStart(day: string, timezone: string): string {
  const utcMs = midnightMs(day);
  let lowMs = utcMs - DAY_MS;
  let highMs = utcMs + DAY_MS;
  // The days of a zone come in order, so the first moment of one is found by halving.
  while (highMs - lowMs > 1) {
    const middleMs = Math.floor((lowMs + highMs) / 2);
    if (dayOf(middleMs, timezone) >= day) highMs = middleMs;
    else lowMs = middleMs;
  }
  return new Date(highMs).toISOString();
}

/** Name a time range: "7 days", "This month", "1 to 14 Nov 2026". */
export function timeRangeInWords(timeRange: TimeRange, timezone: string): string {
  if ("timeRange" in timeRange) return rangeInWords(timeRange.timeRange);
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, day: "numeric", month: "short", year: "numeric" });
  const isWholeDays = isMidnight(timeRange.from, timezone) && isMidnight(timeRange.to, timezone);
  const lastMs = isWholeDays ? Date.parse(timeRange.to) - 1 : Date.parse(timeRange.to);
  return format.formatRange(new Date(timeRange.from), new Date(lastMs));
}

const isMidnight = (moment: string, timezone: string): boolean =>
  dayStart(dayOf(moment, timezone), timezone) === new Date(moment).toISOString();
