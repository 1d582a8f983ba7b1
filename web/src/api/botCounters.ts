import type { components } from "./schema.gen.ts";

type Record = components["schemas"]["BotRecord"];

/** The counters that a bot may never have been sent. */
export type BotCounter = "monthly_votes" | "total_votes" | "server_count" | "shard_count" | "review_count" | "avg_review_rating";

/** A bot in any answer: a record, an entry of a ranking, or a compact one. */
export type CountedBot = Partial<Pick<Record, BotCounter>> & { unreported?: readonly string[] };

/** Return a counter of a bot; null if it was never sent, for which the server has 0. */
export function counterOf(bot: CountedBot, counter: BotCounter): number | null {
  return bot.unreported?.includes(counter) ? null : (bot[counter] ?? null);
}
