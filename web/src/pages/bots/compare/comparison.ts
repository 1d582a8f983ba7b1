import { type BotCounter, counterOf } from "../../../api/botCounters.ts";
import type { Comparison } from "../../../api/botShapes.ts";
import type { Metric } from "../../../core/bots.ts";
import { type Change, changeOf } from "../../../core/changes.ts";
import { NOT_REPORTED, formatExact } from "../../../core/numbers.ts";
import { ordinal } from "../words.ts";

/** One line of a comparison: a value of each bot, in their order. */
export interface ComparedLine {
  label: string;
  values: (number | null)[];
  /** The values in words. */
  texts: string[];
  /** How each value changed; null where nothing is known to compare with. */
  changes: (Change | null)[];
  /** Whether there is a past to compare with, be it on its way. */
  hasPast: boolean;
  /** Which value is the best; nothing where more is not better. */
  best?: "most" | "least";
  /** Its values are on their way. */
  isPending: boolean;
}

/** What is known beside the current values, by the ids of the bots. */
export interface ComparedPast {
  /** Undefined while it is on its way. */
  votesPerDayById: ReadonlyMap<string, number | null> | undefined;
  /** The counters at the moment that changes are compared with. */
  baseById: Partial<Record<Metric, ReadonlyMap<string, number>>>;
}

interface LineOptions {
  best?: "most" | "least";
  format?: (value: number) => string;
  /** The counter that a missing value may lack. */
  counter?: BotCounter;
  /** The counter whose past there is. */
  metric?: Metric;
  isPending?: boolean;
}

/** Return the lines of a comparison. A compact answer has no shards and ratings; what nobody has is left out. */
export function comparedLines(bots: readonly Comparison[], { votesPerDayById, baseById }: ComparedPast): ComparedLine[] {
  const makeLine = (label: string, valueOf: (bot: Comparison) => number | null, options: LineOptions): ComparedLine => {
    const { best, format = formatExact, counter, metric, isPending = false } = options;
    const values = bots.map(valueOf);
    const texts = bots.map((bot, index) => {
      const value = values[index] ?? null;
      if (value !== null) return format(value);
      return counter && bot.unreported?.includes(counter) ? NOT_REPORTED : formatExact(null);
    });
    const changes = bots.map(({ id }, index) => changeOf(values[index] ?? null, (metric && baseById[metric]?.get(id)) ?? null));
    return { label, values, texts, changes, hasPast: metric !== undefined, isPending, ...(best ? { best } : {}) };
  };
  const counterLine = (label: string, counter: BotCounter, options: Omit<LineOptions, "counter"> = { best: "most" }): ComparedLine =>
    makeLine(label, (bot) => counterOf(bot, counter), { counter, ...options });
  const metricLine = (label: string, metric: Metric): ComparedLine => counterLine(label, metric, { best: "most", metric });
  return [
    makeLine("Rank by monthly votes", (bot) => bot.monthly_votes_rank || null, { best: "least", format: ordinal }),
    metricLine("Monthly votes", "monthly_votes"),
    metricLine("Total votes", "total_votes"),
    makeLine("Votes a day, 30 days", (bot) => votesPerDayById?.get(bot.id) ?? null, { best: "most", isPending: votesPerDayById === undefined }),
    metricLine("Servers", "server_count"),
    counterLine("Shards", "shard_count", {}),
    makeLine("Monthly votes per 100 servers", votesPerHundredServers, { best: "most", format: (votes) => formatExact(votes, votes < MANY ? 1 : 0) }),
    makeLine("Rating", ratingOf, { counter: "avg_review_rating", best: "most", format: (rating) => formatExact(rating, 1) }),
    metricLine("Reviews", "review_count"),
  ].filter(({ values, isPending }) => isPending || values.some((value) => value !== null));
}

/** From here on, a ratio needs no decimals. */
const MANY = 100;

/** Without servers, there is no ratio. */
function votesPerHundredServers(bot: Comparison): number | null {
  const [votes, serverCount] = [counterOf(bot, "monthly_votes"), counterOf(bot, "server_count")];
  return votes === null || !serverCount ? null : (votes / serverCount) * 100;
}

/** Without reviews, a bot has no rating. */
const ratingOf = (bot: Comparison): number | null => (counterOf(bot, "review_count") === 0 ? null : counterOf(bot, "avg_review_rating"));

/** Return which places of a line have its best value; none where all are equal. */
export function bestIndexesOf({ values, best }: ComparedLine): ReadonlySet<number> {
  const knownValues = values.filter((value) => value !== null);
  if (best === undefined || new Set(values).size < 2) return new Set();
  const bestValue = best === "most" ? Math.max(...knownValues) : Math.min(...knownValues);
  return new Set(values.flatMap((value, index) => (value === bestValue ? [index] : [])));
}
