import { counterOf } from "../../api/botCounters.ts";
import type { Comparison } from "../../api/botShapes.ts";
import { NOT_REPORTED, formatExact } from "../../core/numbers.ts";
import { ordinal } from "./words.ts";

/** One line of a comparison: a value of each bot, in their order. */
export interface ComparedLine {
  label: string;
  values: (number | null)[];
  /** Which value is the best; nothing where more is not better. */
  best?: "most" | "least";
  format: (value: number | null) => string;
}

const formatRank = (value: number | null): string => ordinal(value ?? 0);
const formatCount = (value: number | null): string => (value === null ? NOT_REPORTED : formatExact(value));
const formatRating = (value: number | null): string => (value === null ? NOT_REPORTED : formatExact(value, 1));

/**
 * Return the lines of a comparison. A compact answer has no shards and ratings; what nobody has is left out.
 *
 * @param votesPerDayById - by the ids of the bots; empty while nobody knows.
 */
export function comparedLines(bots: readonly Comparison[], votesPerDayById: ReadonlyMap<string, number | null>): ComparedLine[] {
  const makeLine = (label: string, valueOf: (bot: Comparison) => number | null | undefined, options: Omit<ComparedLine, "label" | "values">): ComparedLine => ({
    label,
    values: bots.map((bot) => valueOf(bot) ?? null),
    ...options,
  });
  const mostIsBest = { best: "most", format: formatCount } as const;
  return [
    makeLine("Rank by monthly votes", (bot) => bot.monthly_votes_rank || null, { best: "least", format: formatRank }),
    makeLine("Monthly votes", (bot) => counterOf(bot, "monthly_votes"), mostIsBest),
    makeLine("Total votes", (bot) => counterOf(bot, "total_votes"), mostIsBest),
    makeLine("Servers", (bot) => counterOf(bot, "server_count"), mostIsBest),
    makeLine("Shards", (bot) => counterOf(bot, "shard_count"), { format: formatCount }),
    makeLine("Rating", (bot) => (counterOf(bot, "review_count") === 0 ? null : counterOf(bot, "avg_review_rating")), { best: "most", format: formatRating }),
    makeLine("Reviews", (bot) => counterOf(bot, "review_count"), mostIsBest),
    makeLine("Votes a day, 30 days", (bot) => votesPerDayById.get(bot.id), { best: "most", format: formatExact }),
  ].filter(({ values }) => values.some((value) => value !== null));
}

/** Return which places of a line have its best value; none where all are equal. */
export function bestIndexesOf({ values, best }: ComparedLine): ReadonlySet<number> {
  const knownValues = values.filter((value) => value !== null);
  if (best === undefined || new Set(values).size < 2) return new Set();
  const bestValue = best === "most" ? Math.max(...knownValues) : Math.min(...knownValues);
  return new Set(values.flatMap((value, index) => (value === bestValue ? [index] : [])));
}
