import { tick } from "../core/numbers.ts";
import { clockOf, dayOf, momentOf, monthOf, shownAt } from "../core/time.ts";
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
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 7, 14].map((each) => each * DAY),
];
const YEARS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000];
const MONTH_STEPS = [1, 2, 3, 6, ...YEARS.map((years) => years * 12)];
const MONTH_DAYS = 30.44;

/** Write the values of an axis, each with just the digits that tell it from its neighbours. */
export function valueLabels({ values, step }: ValueTicks): string[] {
  const largest = Math.max(...values.map(Math.abs));
  return values.map((value) => tick(value, step, largest));
}

/**
 * Return at most `most` moments from `low` to `high`, in seconds since 1970, at which a unit of a zone's calendar or
 * clock begins. A time that the clocks skip has no tick; of a time that they show twice, only the first has one.
 */
export function timeTicks(low: number, high: number, most: number, zone: string): Tick[] {
  return shownTicks(shownAt(low, zone), shownAt(high, zone), most)
    .map(({ at: shown, label }) => ({ shown, at: momentOf(shown, zone), label }))
    .filter(({ shown, at }) => at >= low && at <= high && shownAt(at, zone) === shown)
    .map(({ at, label }) => ({ at, label }));
}

function shownTicks(low: number, high: number, most: number): Tick[] {
  const span = Math.max(high - low, 1e-9) / Math.max(most, 1);
  for (const step of STEPS.filter((each) => each >= span)) {
    const found = evenly(low, high, step);
    if (found.length <= most) return named(found, step >= DAY ? datesOf(found) : timesOf(found, step));
  }
  for (const months of MONTH_STEPS.filter((each) => each * MONTH_DAYS * DAY >= span)) {
    const found = calendar(low, high, months);
    if (found.length <= most) return named(found, monthsOf(found, months));
  }
  return [];
}

/** Return moments `step` seconds apart; weeks begin on Monday. */
function evenly(low: number, high: number, step: number): Date[] {
  const origin = step % WEEK === 0 ? MONDAY : 0;
  const found = [];
  for (let number = Math.ceil((low - origin) / step - 1e-9); ; number += 1) {
    const at = origin + number * step;
    if (at > high + 1e-9) return found;
    if (at >= EARLIEST && at <= LATEST) found.push(new Date(at * 1_000));
  }
}

/** Return the first day of every `months` months. */
function calendar(low: number, high: number, months: number): Date[] {
  const first = new Date(Math.max(low, EARLIEST) * 1_000);
  const found = [];
  for (let number = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months); ; number += 1) {
    const at = new Date(0);
    at.setUTCFullYear(Math.floor((number * months) / 12), (number * months) % 12, 1);
    if (at.getTime() / 1_000 > Math.min(high, LATEST)) return found;
    if (at.getTime() / 1_000 >= low - 1e-9 && at.getUTCFullYear() >= 1) found.push(at);
  }
}

function named(found: Date[], labels: string[]): Tick[] {
  return found.map((at, number) => ({ at: at.getTime() / 1_000, label: labels[number] ?? "" }));
}

/** Return times, with the date in place of midnight; without a midnight, the first time gets the date. */
function timesOf(found: Date[], step: number): string[] {
  const midnights = found.filter(isMidnight);
  const dates = new Map(midnights.map((at, number) => [at, datesOf(midnights)[number]]));
  const labels = found.map((at) => dates.get(at) ?? clockOf(at).slice(0, step < MINUTE ? 8 : 5));
  return midnights.length > 0 ? labels : labels.map((label, number) => prefixed(label, number, found));
}

function prefixed(label: string, number: number, found: Date[]): string {
  const [first] = found;
  return number === 0 && first ? `${dayOf(first)} ${label}` : label;
}

/** Return dates, with the year on the first date of each year. */
function datesOf(found: Date[]): string[] {
  return found.map((at, number) => {
    const year = at.getUTCFullYear();
    return found[number - 1]?.getUTCFullYear() === year ? dayOf(at) : `${dayOf(at)} ${year}`;
  });
}

/** Return months, with the year in place of January; without a January, the first month gets the year. */
function monthsOf(found: Date[], months: number): string[] {
  const yearly = months >= 12;
  const january = found.some((at) => at.getUTCMonth() === 0);
  return found.map((at, number) => {
    if (yearly || at.getUTCMonth() === 0) return String(at.getUTCFullYear());
    return number === 0 && !january ? `${monthOf(at)} ${at.getUTCFullYear()}` : monthOf(at);
  });
}

function isMidnight(at: Date): boolean {
  return at.getTime() % (DAY * 1_000) === 0;
}
