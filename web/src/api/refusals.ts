import { queryOptions } from "@tanstack/react-query";
import { GET, answer } from "./client.ts";
import { type components } from "./schema.gen.ts";

/** A request of one of the workspace's keys that was refused. */
export type Refusal = components["schemas"]["Refusal"];

/** The last refused requests of the workspace's keys, newest first. */
export const refusalsQuery = queryOptions({
  queryKey: ["/v1/events/refusals"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/events/refusals", { signal }))).refusals,
  staleTime: 0,
});
