/** The time ranges that the API knows by name, in the order in which people meet them. */
export const ROLLING = ["1h", "24h", "7d", "30d", "90d"] as const;
const CALENDAR = ["today", "yesterday", "wtd", "mtd", "ytd", "last_week", "last_month", "12mo", "all"] as const;

/** Every time range that has a name. */
export const RANGE_NAMES = [...ROLLING, ...CALENDAR];

export type RangeName = (typeof RANGE_NAMES)[number];

/** A time range: a named one, or from one moment to another, which is not part of it. Times are RFC 3339. */
export type TimeRange = { timeRange: RangeName } | { from: string; to: string };

const WORDS: Record<RangeName, string> = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  today: "Today",
  yesterday: "Yesterday",
  wtd: "This week",
  mtd: "This month",
  ytd: "This year",
  last_week: "Last week",
  last_month: "Last month",
  "12mo": "12 months",
  all: "All time",
};

const LONGER: RangeName[] = ["7d", "30d", "90d", "all"];

/** Return the time ranges that may show more than this one, the shortest first. */
export function longerRangesThan(timeRange: TimeRange): RangeName[] {
  return LONGER.slice("timeRange" in timeRange ? LONGER.indexOf(timeRange.timeRange) + 1 : 0);
}

/** Name a time range in words: "7 days", "This month". */
export const rangeInWords = (name: RangeName): string => WORDS[name];

/** Return whether a word is the name of a time range. */
export const isRangeName = (word: string): word is RangeName => Object.hasOwn(WORDS, word);
