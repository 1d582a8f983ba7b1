import { type CountedBot, counterOf } from "../../api/botCounters.ts";
import type { BotRecord, RankingEntry } from "../../api/bots.ts";
import { METRICS, type Metric } from "../../core/bots.ts";

/** A bot in the table of rankings. */
export interface RankRow {
  id: string;
  name: string;
  /** By the chosen metric; null where the server has none. */
  rank: number | null;
  /** How many ranks it climbed in 24 hours; null where the server does not say. */
  change: number | null;
  /** Null for a counter that was never sent. */
  values: Record<Metric, number | null>;
}

/** A page of the ranking that was asked for. */
export interface RankingPage {
  metric: Metric;
  isLeastFirst: boolean;
  offset: number;
  total: number;
}

/** Return the rows of a page of the ranking. */
export function rankRows(entries: readonly RankingEntry[], ranking: RankingPage): RankRow[] {
  return entries.map((entry, index) => ({
    id: entry.id,
    name: entry.name,
    rank: ranking.metric === "review_count" ? rankByPosition(index, ranking) : entry[`${ranking.metric}_rank`],
    change: ranking.metric === "review_count" ? null : entry[`${ranking.metric}_rank_change`],
    values: valuesOf(entry),
  }));
}

/** The server has no number for this rank, but it has the order. */
function rankByPosition(index: number, { isLeastFirst, offset, total }: RankingPage): number {
  return isLeastFirst ? total - offset - index : offset + index + 1;
}

/** Return the rows of bots that a search found, by a metric. */
export function searchRows(bots: readonly BotRecord[], metric: Metric, isLeastFirst: boolean): RankRow[] {
  const rows = bots.map((bot) => ({ id: bot.id, name: bot.name, rank: rankOf(bot, metric), change: null, values: valuesOf(bot) }));
  const sign = isLeastFirst ? 1 : -1;
  return rows.toSorted((left, right) => sign * ((left.values[metric] ?? 0) - (right.values[metric] ?? 0)) || (left.rank ?? 0) - (right.rank ?? 0));
}

/** A bot that was deleted has rank 0, which is none. */
function rankOf(bot: BotRecord, metric: Metric): number | null {
  return metric === "review_count" ? null : bot[`${metric}_rank`] || null;
}

function valuesOf(bot: CountedBot): RankRow["values"] {
  return Object.fromEntries(METRICS.map((metric) => [metric, counterOf(bot, metric)])) as RankRow["values"];
}
