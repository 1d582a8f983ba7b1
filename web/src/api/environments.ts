import { queryOptions } from "@tanstack/react-query";
import { GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type Environment = components["schemas"]["EnvironmentOut"];

/** The environments of the workspace. */
export const environmentsQuery = queryOptions({
  queryKey: ["/v1/environments"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/environments", { signal }))).environments,
  staleTime: 60_000,
});
