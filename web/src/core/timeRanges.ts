import { TIME_RANGE_NAMES } from "./names.gen.ts";

/** The time ranges that end now and have a fixed length, the shortest first. */
export const ROLLING = ["1h", "24h", "7d", "30d", "90d"] as const;

export type RangeName = keyof typeof TIME_RANGE_NAMES;

/** Every time range that the API knows by name, in the order of menus. */
export const RANGE_NAMES = Object.keys(TIME_RANGE_NAMES) as RangeName[];

/** A time range: a named one, or from one moment to another, which is not part of it. Times are RFC 3339. */
export type TimeRange = { timeRange: RangeName } | { from: string; to: string };

const LONGER: RangeName[] = ["7d", "30d", "90d", "all"];

/** Return the time ranges that may show more than this one, the shortest first. */
export function longerRangesThan(timeRange: TimeRange): RangeName[] {
  return LONGER.slice("timeRange" in timeRange ? LONGER.indexOf(timeRange.timeRange) + 1 : 0);
}

/** Name a time range in words: "7 days", "This month". */
export const rangeInWords = (name: RangeName): string => TIME_RANGE_NAMES[name];

/** Return whether a word is the name of a time range. */
export const isRangeName = (word: string): word is RangeName => Object.hasOwn(TIME_RANGE_NAMES, word);
