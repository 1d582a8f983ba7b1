import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type Segment = Schemas["SegmentRow"];

/** The saved filter lists of the workspace. */
export const segmentsQuery = queryOptions({
  queryKey: ["/v1/segments"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/segments", { signal }))).segments,
  staleTime: 60_000,
});

const pathParams = (segment_id: string) => ({ params: { path: { segment_id } } });

export const createSegment = (body: Schemas["SegmentIn"]) => answer(POST("/v1/segments", { body }));
/** Change a segment; whatever uses it follows at once. */
export const changeSegment = (id: string, body: Schemas["SegmentChange"]) =>
  answer(PATCH("/v1/segments/{segment_id}", { ...pathParams(id), body }));
/** Delete a segment; refused with the names of what uses it. */
export const deleteSegment = (id: string) => deletion(id, DELETE("/v1/segments/{segment_id}", pathParams(id)));
