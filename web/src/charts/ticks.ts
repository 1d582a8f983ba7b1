import { formatTick } from "../core/numbers.ts";
import { clockOf, dayOf, momentOf, monthOf, localTimeAt } from "../core/time.ts";
import type { ValueTicks } from "./scale.ts";

/** A moment in seconds since 1970, and its label. */
export interface Tick {
  at: number;
  label: string;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const WEEK = 7 * DAY;
/** The first Monday before 1970. */
const MONDAY = -3 * DAY;
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
 * Return at most `maxCount` moments from `low` to `high`, in seconds since 1970, at which a unit of a zone's calendar or
 * clock begins. A time that the clocks skip has no tick; of a time that they show twice, only the first has one.
 */
export function timeTicks(low: number, high: number, maxCount: number, zone: string): Tick[] {
  return localTicks(localTimeAt(low, zone), localTimeAt(high, zone), maxCount)
    .map(({ at: clockTime, label }) => ({ clockTime, at: momentOf(clockTime, zone), label }))
    .filter(({ clockTime, at }) => at >= low && at <= high && localTimeAt(at, zone) === clockTime)
    .map(({ at, label }) => ({ at, label }));
}

function localTicks(low: number, high: number, maxCount: number): Tick[] {
  const minStep = Math.max(high - low, 1e-9) / Math.max(maxCount, 1);
  for (const step of STEPS.filter((candidate) => candidate >= minStep)) {
    const moments = momentsEvery(low, high, step);
    if (moments.length <= maxCount) return labelTicks(moments, step >= DAY ? datesOf(moments) : timesOf(moments, step));
  }
  for (const months of MONTH_STEPS.filter((candidate) => candidate * MONTH_DAYS * DAY >= minStep)) {
    const moments = monthStarts(low, high, months);
    if (moments.length <= maxCount) return labelTicks(moments, monthsOf(moments, months));
  }
  return [];
}

/** Return moments `step` seconds apart; weeks begin on Monday. */
function momentsEvery(low: number, high: number, step: number): Date[] {
  const origin = step % WEEK === 0 ? MONDAY : 0;
  const moments = [];
  for (let number = Math.ceil((low - origin) / step - 1e-9); ; number += 1) {
    const at = origin + number * step;
    if (at > high + 1e-9) return moments;
    if (at >= EARLIEST && at <= LATEST) moments.push(new Date(at * 1_000));
  }
}

/** Return the first day of every `months` months. */
function monthStarts(low: number, high: number, months: number): Date[] {
  const first = new Date(Math.max(low, EARLIEST) * 1_000);
  const moments = [];
  for (let number = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months); ; number += 1) {
    const at = new Date(0);
    at.setUTCFullYear(Math.floor((number * months) / 12), (number * months) % 12, 1);
    if (at.getTime() / 1_000 > Math.min(high, LATEST)) return moments;
    if (at.getTime() / 1_000 >= low - 1e-9 && at.getUTCFullYear() >= 1) moments.push(at);
  }
}

function labelTicks(moments: Date[], labels: string[]): Tick[] {
  return moments.map((at, index) => ({ at: at.getTime() / 1_000, label: labels[index] ?? "" }));
}

/** Return times, with the date in place of midnight; without a midnight, the first time gets the date. */
function timesOf(moments: Date[], step: number): string[] {
  const midnights = moments.filter(isMidnight);
  const dates = new Map(midnights.map((at, index) => [at, datesOf(midnights)[index]]));
  const labels = moments.map((at) => dates.get(at) ?? clockOf(at).slice(0, step < MINUTE ? 8 : 5));
  return midnights.length > 0 ? labels : labels.map((label, index) => withDate(label, index, moments));
}

function withDate(label: string, number: number, moments: Date[]): string {
  const [first] = moments;
  return number === 0 && first ? `${dayOf(first)} ${label}` : label;
}

/** Return dates, with the year on the first date of each year. */
function datesOf(moments: Date[]): string[] {
  return moments.map((at, index) => {
    const year = at.getUTCFullYear();
    return moments[index - 1]?.getUTCFullYear() === year ? dayOf(at) : `${dayOf(at)} ${year}`;
  });
}

/** Return months, with the year in place of January; without a January, the first month gets the year. */
function monthsOf(moments: Date[], months: number): string[] {
  const yearly = months >= 12;
  const january = moments.some((at) => at.getUTCMonth() === 0);
  return moments.map((at, index) => {
    if (yearly || at.getUTCMonth() === 0) return String(at.getUTCFullYear());
    return index === 0 && !january ? `${monthOf(at)} ${at.getUTCFullYear()}` : monthOf(at);
  });
}

function isMidnight(at: Date): boolean {
  return at.getTime() % (DAY * 1_000) === 0;
}
