import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

/** A key without its secret; `prefix` is all that anybody sees of it later. */
export type Key = components["schemas"]["KeyOut"];
/** A key at its creation, with the secret. Keep it nowhere but on screen. */
export type NewKey = components["schemas"]["NewKeyOut"];

/** How often a page with last uses asks again; the server writes the first use after a rest at once. */
export const LAST_USE_REFRESH_MS = 1_000;

/** All keys of the workspace, newest first, revoked ones included. */
export const keysQuery = queryOptions({
  queryKey: ["/v1/keys"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/keys", { signal }))).keys,
});

export const createKey = (body: components["schemas"]["KeyIn"]): Promise<NewKey> => answer(POST("/v1/keys", { body }));
export const changeKey = (id: string, body: components["schemas"]["KeyChange"]) =>
  answer(PATCH("/v1/keys/{key_id}", { params: { path: { key_id: id } }, body }));
export const revokeKey = (id: string) => answer(DELETE("/v1/keys/{key_id}", { params: { path: { key_id: id } } }));
/** The same for a page that is being left: the browser sends it even when the page is gone. */
export const revokeKeyOnLeaving = (id: string) =>
  answer(DELETE("/v1/keys/{key_id}", { params: { path: { key_id: id } }, keepalive: true }));
