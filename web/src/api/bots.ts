import { queryOptions } from "@tanstack/react-query";
import { type Metric, type TimeFrame, MAX_COMPARED, isBotId } from "../core/bots.ts";
import { type Comparison, type Histories, historiesOf } from "./botShapes.ts";
import { DELETE, GET, PUT, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type BotRecord = Schemas["BotRecord"];
export type RankingEntry = Schemas["RankingEntry"];
export type RecentEntry = Schemas["RecentEntry"];
export type LeaderboardEntry = Schemas["LeaderboardEntry"];
export type CounterSource = BotRecord["counter_source"];

const MAX_MATCHES = 100;
const MAX_TAGGED = 50;

const pathParams = (bot_id: string) => ({ params: { path: { bot_id } } });

/** A page of all listed bots in the order of a metric: greatest first, or least first. */
export const rankingsQuery = (metric: Metric, isLeastFirst: boolean, offset: number, limit: number) =>
  queryOptions({
    queryKey: ["/v1/statistics/rankings/bots", { metric }, { isLeastFirst, offset, limit }],
    queryFn: ({ signal }) => {
      const query = {
        sortBy: `${metric}_rank` as const,
        // The server orders by rank, and rank 1 has the most.
        sortMethod: isLeastFirst ? ("desc" as const) : ("asc" as const),
        limit: String(limit),
        offset: String(offset),
      };
      return answer(GET("/v1/statistics/rankings/bots", { params: { query }, signal }));
    },
  });

/** Bots whose name or tag has the text, or whose id it is; `total` counts those that were not sent as well. */
export const botSearchQuery = (q: string) =>
  queryOptions({
    queryKey: ["/v1/statistics/search", { q }],
    queryFn: async ({ signal }) => {
      if (isBotId(q)) return searchById(q, signal);
      const [nameMatches, tagMatches] = await Promise.all([
        answer(GET("/v1/statistics/search", { params: { query: { query: q, limit: String(MAX_MATCHES) } }, signal })),
        answer(GET("/v1/statistics/tags", { params: { query: { query: q, limit: String(MAX_TAGGED) } }, signal })),
      ]);
      const botById = new Map([...nameMatches.data.results, ...tagMatches.data.results].map((bot) => [bot.id, bot]));
      const unsentCount =
        nameMatches.data.total - nameMatches.data.results.length + (tagMatches.data.total - tagMatches.data.results.length);
      return { bots: [...botById.values()], total: botById.size + unsentCount };
    },
  });

async function searchById(id: string, signal: AbortSignal) {
  const exchange = await GET("/v1/statistics/bots/{bot_id}", { ...pathParams(id), signal });
  if (exchange.response.status === 404) return { bots: [], total: 0 };
  return { bots: [await answer(Promise.resolve(exchange))], total: 1 };
}

/** One bot: profile, counters, ranks and changes. */
export const botQuery = (id: string) =>
  queryOptions({
    queryKey: ["/v1/statistics/bots", { id }],
    queryFn: ({ signal }) => answer(GET("/v1/statistics/bots/{bot_id}", { ...pathParams(id), signal })),
  });

/** A counter of one or more bots over time, each oldest first. */
export const historiesQuery = (ids: readonly string[], metric: Metric, timeFrame: TimeFrame) =>
  queryOptions({
    queryKey: ["/v1/statistics/historical", { ids, metric }, { timeFrame }],
    queryFn: async ({ signal }): Promise<Histories> => {
      const query = { type: metric, timeFrame };
      const [onlyId, ...otherIds] = ids;
      if (onlyId !== undefined && otherIds.length === 0) {
        const { data } = await answer(GET("/v1/statistics/bots/{bot_id}/historical", { params: { path: { bot_id: onlyId }, query }, signal }));
        return historiesOf({ data: { [onlyId]: data } }, metric);
      }
      const path = { bot_ids: ids.join("/") };
      return historiesOf(await answer(GET("/v1/statistics/compare/historical/{bot_ids}", { params: { path, query }, signal })), metric);
    },
    enabled: ids.length > 0,
  });

/** Bots side by side, in the order asked for: 2 to 10 of them. */
export const comparisonQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["/v1/statistics/compare", { ids }],
    queryFn: ({ signal }) => fetchComparison(ids, signal),
    enabled: ids.length >= 2,
  });

/** Tags and pictures of listed bots by their ids, which a ranking leaves out. */
export const profilesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["/v1/statistics/profiles", { ids }],
    queryFn: async ({ signal }): Promise<Map<string, Comparison>> => {
      const idBatches = [];
      for (let start = 0; start < ids.length; start += MAX_COMPARED) idBatches.push(ids.slice(start, start + MAX_COMPARED));
      const profiles = await Promise.all(idBatches.map((idBatch) => fetchProfiles(idBatch, signal)));
      return new Map(profiles.flat().map((bot) => [bot.id, bot]));
    },
    enabled: ids.length > 0,
    staleTime: 60_000,
  });

/** Whole records, or compact entries if there are many. */
async function fetchComparison(ids: readonly string[], signal: AbortSignal): Promise<Comparison[]> {
  return (await answer(GET("/v1/statistics/compare/{bot_ids}", { params: { path: { bot_ids: ids.join("/") } }, signal }))).data;
}

async function fetchProfiles(ids: readonly string[], signal: AbortSignal): Promise<Comparison[]> {
  const [firstId = "", ...otherIds] = ids;
  if (otherIds.length > 0) return fetchComparison(ids, signal);
  return [await answer(GET("/v1/statistics/bots/{bot_id}", { ...pathParams(firstId), signal }))];
}

/** The last 30 hours and 30 days of a bot, newest first. */
export const recentQuery = (id: string) =>
  queryOptions({
    queryKey: ["/v1/statistics/recent", { id }],
    queryFn: ({ signal }) => answer(GET("/v1/statistics/bots/{bot_id}/recent", { ...pathParams(id), signal })),
  });

/** A page of the voters of a bot, by the weight of their votes. */
export const votersQuery = (id: string, offset: number, limit: number) =>
  queryOptions({
    queryKey: ["/v1/statistics/leaderboard", { id }, { offset, limit }],
    queryFn: async ({ signal }) => {
      const query = { offset: String(offset), limit: String(limit) };
      return (await answer(GET("/v1/statistics/bots/{bot_id}/leaderboard", { params: { path: { bot_id: id }, query }, signal }))).data;
    },
  });

/** The place of one user among the voters of a bot. */
export const voterQuery = (id: string, userId: string) =>
  queryOptions({
    queryKey: ["/v1/statistics/leaderboard", { id, userId }],
    queryFn: ({ signal }) =>
      answer(GET("/v1/statistics/bots/{bot_id}/leaderboard/{user_id}", { params: { path: { bot_id: id, user_id: userId } }, signal })),
  });

/** The bots that name a user as an owner. */
export const ownersBotsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["/v1/statistics/users", { userId }],
    queryFn: async ({ signal }) => (await answer(GET("/v1/statistics/users/{user_id}/bots", { params: { path: { user_id: userId } }, signal }))).bots,
  });

/** Whether a bot has the secret with which its list signs webhooks. */
export const webhookSecretQuery = (id: string) =>
  queryOptions({
    queryKey: ["/v1/statistics/webhook-secret", { id }],
    queryFn: async ({ signal }) => (await answer(GET("/v1/statistics/bots/{bot_id}/webhook-secret", { ...pathParams(id), signal }))).isSet,
  });

export const setWebhookSecret = (id: string, secret: string) =>
  answer(PUT("/v1/statistics/bots/{bot_id}/webhook-secret", { ...pathParams(id), body: { secret } }));
export const deleteWebhookSecret = (id: string) => answer(DELETE("/v1/statistics/bots/{bot_id}/webhook-secret", pathParams(id)));
/** Say where a bot's vote counters come from: from what is posted, or from the votes received here. Developers only. */
export const chooseCounterSource = (id: string, counter_source: CounterSource) =>
  answer(PUT("/v1/statistics/bots/{bot_id}/counter-source", { ...pathParams(id), body: { counter_source } }));
