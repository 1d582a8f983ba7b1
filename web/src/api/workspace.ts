import { queryOptions } from "@tanstack/react-query";
import { GET, PATCH, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type Usage = Schemas["UsageOut"];

/** The plan, how many events it has taken this month, and how many it takes. */
export const usageQuery = queryOptions({
  queryKey: ["/v1/usage"],
  queryFn: ({ signal }) => answer(GET("/v1/usage", { signal })),
});

/** Change the workspace's name or time zone. Admins only. */
export const changeWorkspace = (body: Schemas["WorkspaceChange"]) => answer(PATCH("/v1/workspace", { body }));
