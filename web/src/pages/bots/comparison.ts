import type { Comparison } from "../../api/botShapes.ts";
import { formatExact } from "../../core/numbers.ts";
import { ordinal } from "./words.ts";

/** One line of a comparison: a value of each bot, in their order. */
export interface Compared {
  label: string;
  values: (number | null)[];
  /** Which value is the best; nothing where more is not better. */
  best?: "most" | "least";
  write: (value: number | null) => string;
}

const rank = (value: number | null): string => ordinal(value ?? 0);
const rating = (value: number | null): string => (value === null ? formatExact(null) : formatExact(value, 1));

/**
 * Return the lines of a comparison. A compact answer has no shards and ratings; what nobody has is left out.
 *
 * @param votesADay - by the ids of the bots; empty while nobody knows.
 */
export function comparedLines(bots: readonly Comparison[], votesADay: ReadonlyMap<string, number | null>): Compared[] {
  const line = (label: string, value: (bot: Comparison) => number | null | undefined, how: Omit<Compared, "label" | "values">): Compared => ({
    label,
    values: bots.map((bot) => value(bot) ?? null),
    ...how,
  });
  const mostIsBest = { best: "most", write: formatExact } as const;
  return [
    line("Rank by monthly votes", (bot) => bot.monthly_votes_rank || null, { best: "least", write: rank }),
    line("Monthly votes", (bot) => bot.monthly_votes, mostIsBest),
    line("Total votes", (bot) => bot.total_votes, mostIsBest),
    line("Servers", (bot) => bot.server_count, mostIsBest),
    line("Shards", (bot) => bot.shard_count, { write: formatExact }),
    line("Rating", (bot) => (bot.review_count > 0 ? bot.avg_review_rating : null), { best: "most", write: rating }),
    line("Reviews", (bot) => bot.review_count, mostIsBest),
    line("Votes a day, 30 days", (bot) => votesADay.get(bot.id), mostIsBest),
  ].filter(({ values }) => values.some((value) => value !== null));
}

/** Return which places of a line have its best value; none where all are equal. */
export function bestOf({ values, best }: Compared): ReadonlySet<number> {
  const numbers = values.filter((value) => value !== null);
  if (best === undefined || new Set(values).size < 2) return new Set();
  const value = best === "most" ? Math.max(...numbers) : Math.min(...numbers);
  return new Set(values.flatMap((cell, index) => (cell === value ? [index] : [])));
}
