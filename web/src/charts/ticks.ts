import { formatTick } from "../core/numbers.ts";
import { clockOf, dayOf, momentOf, monthOf, localTimeAt } from "../core/time.ts";
import type { ValueTicks } from "./scale.ts";

/** A moment in seconds since 1970, and its label. */
export interface Tick {
  seconds: number;
  label: string;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const WEEK = 7 * DAY;
/** The first Monday before 1970. */
const FIRST_MONDAY = -3 * DAY;
const EARLIEST = -62_135_596_800;
const LATEST = 253_402_300_799;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14].map((count) => count * DAY),
];
const YEARS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000];
const MONTH_STEPS = [1, 2, 3, 6, ...YEARS.map((years) => years * 12)];
const MONTH_DAYS = 30.44;

/** Write the values of an axis, each with just the digits that tell it from its neighbours. */
export function valueLabels({ values, step }: ValueTicks): string[] {
  const largest = Math.max(...values.map(Math.abs));
  return values.map((value) => formatTick(value, step, largest));
}

/**
 * Return at most `maxCount` moments from `fromSeconds` to `toSeconds`, in seconds since 1970, at which a unit of a zone's calendar or
 * clock begins. A time that the clocks skip has no tick; of a time that they show twice, only the first has one.
 */
export function timeTicks(fromSeconds: number, toSeconds: number, maxCount: number, zone: string): Tick[] {
  return localTicks(localTimeAt(fromSeconds, zone), localTimeAt(toSeconds, zone), maxCount)
    .map(({ seconds: clockTime, label }) => ({ clockTime, seconds: momentOf(clockTime, zone), label }))
    .filter(({ clockTime, seconds }) => seconds >= fromSeconds && seconds <= toSeconds && localTimeAt(seconds, zone) === clockTime)
    .map(({ seconds, label }) => ({ seconds, label }));
}

function localTicks(fromSeconds: number, toSeconds: number, maxCount: number): Tick[] {
  const minStep = Math.max(toSeconds - fromSeconds, 1e-9) / Math.max(maxCount, 1);
  for (const step of STEPS.filter((candidate) => candidate >= minStep)) {
    const dates = datesEvery(fromSeconds, toSeconds, step);
    if (dates.length <= maxCount) return labelTicks(dates, step >= DAY ? dateLabels(dates) : timeLabels(dates, step));
  }
  for (const months of MONTH_STEPS.filter((candidate) => candidate * MONTH_DAYS * DAY >= minStep)) {
    const dates = monthStarts(fromSeconds, toSeconds, months);
    if (dates.length <= maxCount) return labelTicks(dates, monthLabels(dates, months));
  }
  return [];
}

/** Return moments `step` seconds apart; weeks begin on Monday. */
function datesEvery(fromSeconds: number, toSeconds: number, step: number): Date[] {
  const origin = step % WEEK === 0 ? FIRST_MONDAY : 0;
  const dates = [];
  for (let stepNumber = Math.ceil((fromSeconds - origin) / step - 1e-9); ; stepNumber += 1) {
    const seconds = origin + stepNumber * step;
    if (seconds > toSeconds + 1e-9) return dates;
    if (seconds >= EARLIEST && seconds <= LATEST) dates.push(new Date(seconds * 1_000));
  }
}

/** Return the first day of every `months` months. */
function monthStarts(fromSeconds: number, toSeconds: number, months: number): Date[] {
  const firstDate = new Date(Math.max(fromSeconds, EARLIEST) * 1_000);
  const dates = [];
  for (let stepNumber = Math.floor((firstDate.getUTCFullYear() * 12 + firstDate.getUTCMonth()) / months); ; stepNumber += 1) {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor((stepNumber * months) / 12), (stepNumber * months) % 12, 1);
    if (date.getTime() / 1_000 > Math.min(toSeconds, LATEST)) return dates;
    if (date.getTime() / 1_000 >= fromSeconds - 1e-9 && date.getUTCFullYear() >= 1) dates.push(date);
  }
}

function labelTicks(dates: Date[], labels: string[]): Tick[] {
  return dates.map((date, index) => ({ seconds: date.getTime() / 1_000, label: labels[index] ?? "" }));
}

/** Return times, with the date in place of midnight; without a midnight, the first time gets the date. */
function timeLabels(dates: Date[], step: number): string[] {
  const midnights = dates.filter(isMidnight);
  const dateByMidnight = new Map(midnights.map((date, index) => [date, dateLabels(midnights)[index]]));
  const labels = dates.map((date) => dateByMidnight.get(date) ?? clockOf(date).slice(0, step < MINUTE ? 8 : 5));
  return midnights.length > 0 ? labels : labels.map((label, index) => withDate(label, index, dates));
}

function withDate(label: string, index: number, dates: Date[]): string {
  const [firstDate] = dates;
  return index === 0 && firstDate ? `${dayOf(firstDate)} ${label}` : label;
}

/** Return dates, with the year on the first date of each year. */
function dateLabels(dates: Date[]): string[] {
  return dates.map((date, index) => {
    const year = date.getUTCFullYear();
    return dates[index - 1]?.getUTCFullYear() === year ? dayOf(date) : `${dayOf(date)} ${year}`;
  });
}

/** Return months, with the year in place of January; without a January, the first month gets the year. */
function monthLabels(dates: Date[], months: number): string[] {
  const isYearly = months >= 12;
  const hasJanuary = dates.some((date) => date.getUTCMonth() === 0);
  return dates.map((date, index) => {
    if (isYearly || date.getUTCMonth() === 0) return String(date.getUTCFullYear());
    return index === 0 && !hasJanuary ? `${monthOf(date)} ${date.getUTCFullYear()}` : monthOf(date);
  });
}

const isMidnight = (date: Date): boolean => date.getTime() % (DAY * 1_000) === 0;
