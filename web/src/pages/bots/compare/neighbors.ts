import type { RankingEntry } from "../../../api/bots.ts";
import type { Comparison } from "../../../api/botShapes.ts";
import type { Metric } from "../../../core/bots.ts";

/** The ranking of reviews has no rank in a record. */
export type RankedMetric = Exclude<Metric, "review_count">;

/** So many are offered. */
export const NEIGHBOR_COUNT = 3;
/** Ranks on each side among which there are enough, even if ten bots are compared already. */
const REACH = 12;

/** Return the metric by which the neighbors of a bot are found. */
export const rankedMetricOf = (metric: Metric): RankedMetric => (metric === "review_count" ? "monthly_votes" : metric);

/** Return the rank of a bot; null for one that is not ranked, such as a deleted one. */
export function rankIn(bot: Comparison | undefined, metric: RankedMetric): number | null {
  const rank = bot?.[`${metric}_rank`] ?? 0;
  return rank > 0 ? rank : null;
}

/** Return the page of the ranking around a rank, from 1. */
export function pageAround(rank: number): { offset: number; limit: number } {
  const offset = Math.max(0, rank - 1 - REACH);
  return { offset, limit: rank + REACH - offset };
}

/** Return the bots with the nearest ranks that are not compared yet, best first. */
export function nearestBots(entries: readonly RankingEntry[], metric: RankedMetric, rank: number, comparedIds: readonly string[]): RankingEntry[] {
  const rankOf = (entry: RankingEntry): number => entry[`${metric}_rank`];
  const distanceOf = (entry: RankingEntry): number => Math.abs(rankOf(entry) - rank);
  return entries
    .filter(({ id }) => !comparedIds.includes(id))
    .toSorted((left, right) => distanceOf(left) - distanceOf(right) || rankOf(left) - rankOf(right))
    .slice(0, NEIGHBOR_COUNT)
    .toSorted((left, right) => rankOf(left) - rankOf(right));
}
