import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
/** A host that widgets may ask; of its token, the last characters. */
export type ExternalSource = Schemas["ExternalSourceOut"];

/** The external sources from which widgets may fetch a value. */
export const externalSourcesQuery = queryOptions({
  queryKey: ["/v1/external-sources"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/external-sources", { signal }))).externalSources,
  staleTime: 60_000,
});

const pathParams = (source_id: string) => ({ params: { path: { source_id } } });

export const createExternalSource = (body: Schemas["ExternalSourceIn"]) => answer(POST("/v1/external-sources", { body }));
/** Change a source; another host without a token clears the stored one. */
export const changeExternalSource = (id: string, body: Schemas["ExternalSourceChange"]) =>
  answer(PATCH("/v1/external-sources/{source_id}", { ...pathParams(id), body }));
/** Delete a source and its token; refused with the names of the widgets that ask it. */
export const deleteExternalSource = (id: string) => deletion(id, DELETE("/v1/external-sources/{source_id}", pathParams(id)));
