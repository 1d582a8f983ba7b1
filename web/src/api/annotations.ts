import { queryOptions } from "@tanstack/react-query";
import { GET, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type Annotation = components["schemas"]["AnnotationOut"];

/** The marks on the time line of an environment. */
export const annotationsQuery = (environment: string) =>
  queryOptions({
    queryKey: ["/v1/annotations", { environment }],
    queryFn: async ({ signal }) => (await answer(GET("/v1/annotations", { params: { query: { environment } }, signal }))).annotations,
    staleTime: 60_000,
  });

export const createAnnotation = (body: components["schemas"]["AnnotationIn"]) =>
  answer(POST("/v1/annotations", { body }));
