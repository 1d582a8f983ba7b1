import { type BotCounter, counterOf } from "../../api/botCounters.ts";
import type { Comparison } from "../../api/botShapes.ts";
import { NOT_REPORTED, formatExact } from "../../core/numbers.ts";
import { ordinal } from "./words.ts";

/** One line of a comparison: a value of each bot, in their order. */
export interface ComparedLine {
  label: string;
  values: (number | null)[];
  /** The values in words. */
  texts: string[];
  /** Which value is the best; nothing where more is not better. */
  best?: "most" | "least";
}

interface LineOptions {
  /** The counter that a missing value may lack. */
  counter?: BotCounter;
  best?: "most" | "least";
  format?: (value: number) => string;
}

/**
 * Return the lines of a comparison. A compact answer has no shards and ratings; what nobody has is left out.
 *
 * @param votesPerDayById - by the ids of the bots; empty while nobody knows.
 */
export function comparedLines(bots: readonly Comparison[], votesPerDayById: ReadonlyMap<string, number | null>): ComparedLine[] {
  const makeLine = (label: string, valueOf: (bot: Comparison) => number | null, { counter, best, format = formatExact }: LineOptions): ComparedLine => {
    const values = bots.map(valueOf);
    const texts = bots.map((bot, index) => {
      const value = values[index] ?? null;
      if (value !== null) return format(value);
      return counter && bot.unreported?.includes(counter) ? NOT_REPORTED : formatExact(null);
    });
    return { label, values, texts, ...(best ? { best } : {}) };
  };
  const counterLine = (label: string, counter: BotCounter, options: Omit<LineOptions, "counter"> = { best: "most" }): ComparedLine =>
    makeLine(label, (bot) => counterOf(bot, counter), { counter, ...options });
  return [
    makeLine("Rank by monthly votes", (bot) => bot.monthly_votes_rank || null, { best: "least", format: ordinal }),
    counterLine("Monthly votes", "monthly_votes"),
    counterLine("Total votes", "total_votes"),
    counterLine("Servers", "server_count"),
    counterLine("Shards", "shard_count", {}),
    makeLine("Rating", ratingOf, { counter: "avg_review_rating", best: "most", format: (rating) => formatExact(rating, 1) }),
    counterLine("Reviews", "review_count"),
    makeLine("Votes a day, 30 days", (bot) => votesPerDayById.get(bot.id) ?? null, { best: "most" }),
  ].filter(({ values }) => values.some((value) => value !== null));
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
