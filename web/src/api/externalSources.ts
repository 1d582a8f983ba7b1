import { queryOptions } from "@tanstack/react-query";
import { GET, answer } from "./client.ts";

/** The external sources from which widgets may fetch a value. */
export const externalSourcesQuery = queryOptions({
  queryKey: ["/v1/external-sources"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/external-sources", { signal }))).externalSources,
  staleTime: 60_000,
});
