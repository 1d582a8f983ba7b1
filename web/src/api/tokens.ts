import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
/** A personal access token without its secret. */
export type Token = Schemas["TokenOut"];
/** A token at its creation, with the secret. Keep it nowhere but on screen. */
export type NewToken = Schemas["NewTokenOut"];
export type TokenFields = Schemas["TokenIn"];
export type TokenScope = Schemas["TokenScope"];

/** One's own tokens, newest first, revoked and expired ones included; admins see those of all members. */
export const tokensQuery = queryOptions({
  queryKey: ["/v1/tokens"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/tokens", { signal }))).tokens,
});

export const createToken = (body: TokenFields): Promise<NewToken> => answer(POST("/v1/tokens", { body }));
export const revokeToken = (token_id: string) => answer(DELETE("/v1/tokens/{token_id}", { params: { path: { token_id } } }));
