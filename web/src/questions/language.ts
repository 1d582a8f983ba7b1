/** The words of a line, with what they mean. docs/howto/ask-a-question.md shows the same tables to readers. */
import type { components } from "../api/schema.gen.ts";
import type { RangeName } from "../core/timeRanges.ts";
import type { Operator } from "../scope/filters.ts";
import { OPERATOR_WORDS } from "../scope/operatorWords.ts";
import type { Drawing } from "../widgets/drawings.ts";
import type { Measure } from "../widgets/words.ts";
import { type Phrases, phrasesOf } from "./phrases.ts";
import { isOneWord, quoted } from "./tokens.ts";

type Schemas = components["schemas"];
type Interval = Exclude<NonNullable<Schemas["MetricConfig"]["interval"]>, "auto">;

/** With what a question begins that is not about a measure. */
export const KINDS = phrasesOf(
  ["funnel", "funnel", "funnel of"],
  ["retention", "retention of", "retention"],
  ["histogram", "histogram of", "distribution of"],
  ["heatmap", "heat map of", "heatmap of"],
  ["table", "table of", "list of"],
  ["kpi", "numbers", "numbers of"],
  ["letters", "formula"],
);

export const MEASURES = phrasesOf<Measure>(
  ["count", "count", "number"],
  ["uniq_actors", "unique actors", "actors"],
  ["uniq", "unique values", "unique", "distinct values", "distinct"],
  ["sum", "sum", "total"],
  ["avg", "average", "avg", "mean"],
  ["median", "median", "p50"],
  ["p95", "p95", "95th percentile"],
  ["p99", "p99", "99th percentile"],
  ["min", "minimum", "min"],
  ["max", "maximum", "max"],
);

/** What else than the name of an event a question can be about. */
export const ALL_EVENTS = phrasesOf<"all">(["all", "all events", "any event", "everything"]);

/** The fields of an event that are no properties. */
export const FIELDS = phrasesOf(["_source", "source"], ["_actor", "actor"], ["_actorLabel", "actor name"], ["name", "event", "event name"]);

/** The group of the default group key, which only a breakdown has. */
export const GROUP = phrasesOf(["_group", "group"]);

/** Columns of a table that are no properties. */
export const COLUMNS = phrasesOf(["time", "time"], ["event", "event"], ["actor", "actor"], ["source", "source"]);

export const OPERATORS = phrasesOf<Operator>(...OPERATOR_WORDS);

export const RESTS = phrasesOf<"none" | "other" | "both">(
  ["other", "with others"],
  ["none", "with missing values"],
  ["both", "with the rest"],
);

export const INTERVALS = phrasesOf<Interval | "auto">(
  ["auto", "over time"],
  ["minute", "per minute", "each minute"],
  ["hour", "per hour", "hourly", "each hour"],
  ["day", "per day", "daily", "each day"],
  ["week", "per week", "weekly", "each week"],
  ["month", "per month", "monthly", "each month"],
);

/** The lengths of the periods of a retention. */
export const PERIODS = phrasesOf<"day" | "week" | "month">(
  ["day", "per day", "daily"],
  ["week", "per week", "weekly"],
  ["month", "per month", "monthly"],
);

export const AGAINST = phrasesOf(["against", "against", "vs", "compared with"]);

/** With what an answer is compared, by the choices of a form. */
export const COMPARISONS = phrasesOf(
  ["previous", "the period before", "previous", "the previous period"],
  ["1d", "the day before", "a day earlier"],
  ["7d", "the week before", "a week earlier"],
  ["28d", "28 days before", "28 days earlier"],
  ["1mo", "the month before", "a month earlier"],
  ["1y", "the year before", "a year earlier"],
  ["none", "nothing"],
);

const RANGE_ROWS: readonly (readonly [RangeName, ...[string, ...string[]]])[] = [
  ["7d", "last 7 days", "7 days"],
  ["30d", "last 30 days", "30 days"],
  ["90d", "last 90 days", "90 days"],
  ["24h", "last 24 hours", "24 hours"],
  ["1h", "last hour", "last 1 hour"],
  ["today", "today"],
  ["yesterday", "yesterday"],
  ["wtd", "this week"],
  ["mtd", "this month"],
  ["ytd", "this year"],
  ["last_week", "last week"],
  ["last_month", "last month"],
  ["12mo", "last 12 months", "12 months"],
  ["all", "all time"],
];

/** The time ranges with a name; "over" and "in the" may come before any of them. */
export const RANGES = phrasesOf<RangeName>(
  ...RANGE_ROWS.map(
    ([name, ...phrases]) => [name, ...phrases, ...phrases.flatMap((phrase) => [`over ${phrase}`, `over the ${phrase}`, `in the ${phrase}`])] as const,
  ),
);

/** As what an answer is drawn. */
export const DRAWINGS = phrasesOf<Drawing>(
  ["line", "lines", "line"],
  ["area", "areas", "area"],
  ["bar", "bars", "bar"],
  ["ranked", "ranked", "list"],
  ["number", "number"],
  ["table", "table"],
  ["heatmap", "heat map", "heatmap"],
);

/** Everything that a line knows besides names, for the signs and words between the tables. */
const TABLES: readonly Phrases<unknown>[] = [
  KINDS, MEASURES, ALL_EVENTS, FIELDS, GROUP, COLUMNS, OPERATORS, RESTS, INTERVALS, COMPARISONS, RANGES, DRAWINGS,
];

const CLAUSE_WORDS = [
  "where", "by", "top", "with", "in", "over", "against", "vs", "compared", "from", "as", "within", "holding", "without", "counting", "for", "newest", "returning",
];

/** With what a clause begins: after a comma, it ends a list of names. */
export const CLAUSES: Pick<Phrases<unknown>, "meanings"> = {
  meanings: [...INTERVALS.meanings, ...RANGES.meanings, ...CLAUSE_WORDS.map((word) => ({ words: [word], value: word }))],
};

const WORDS: ReadonlySet<string> = new Set([
  ...TABLES.flatMap(({ meanings }) => meanings.flatMap(({ words }) => words)),
  ...CLAUSE_WORDS,
  "show", "of", "or", "and", "to", "then", "between", "segment", "environment", "groups", "times", "sparklines", "percentiles", "buckets", "periods", "+", "-", "*", "/",
]);

/** Write a name as a line has it: in quotes if it has spaces or signs, or could be a word of the language or a number. */
export function writeName(name: string): string {
  return isOneWord(name) && !WORDS.has(name.toLowerCase()) && !/^[-+.]?\d/.test(name) ? name : quoted(name);
}
