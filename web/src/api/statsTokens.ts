import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

/** A token of the Statistics API without its secret. */
export type StatsToken = components["schemas"]["StatsTokenOut"];
/** A token at its creation, with the secret. Keep it nowhere but on screen. */
export type NewStatsToken = components["schemas"]["NewStatsTokenOut"];
export type StatsScope = components["schemas"]["StatsScope"];

/** All tokens of the Statistics API, revoked ones included. */
export const statsTokensQuery = queryOptions({
  queryKey: ["/v1/stats-tokens"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/stats-tokens", { signal }))).statsTokens,
});

export const createStatsToken = (body: components["schemas"]["StatsTokenIn"]): Promise<NewStatsToken> =>
  answer(POST("/v1/stats-tokens", { body }));
export const revokeStatsToken = (token_id: string) => answer(DELETE("/v1/stats-tokens/{token_id}", { params: { path: { token_id } } }));
