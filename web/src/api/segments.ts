import { queryOptions } from "@tanstack/react-query";
import { GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type Segment = components["schemas"]["SegmentOut"];

/** The saved filter lists of the workspace. */
export const segmentsQuery = queryOptions({
  queryKey: ["/v1/segments"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/segments", { signal }))).segments,
  staleTime: 60_000,
});
