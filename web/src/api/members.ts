import { queryOptions } from "@tanstack/react-query";
import { GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type Member = components["schemas"]["MemberOut"];

/** The people of the workspace. */
export const membersQuery = queryOptions({
  queryKey: ["/v1/members"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/members", { signal }))).members,
  staleTime: 60_000,
});
