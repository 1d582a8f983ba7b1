import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type Annotation = Schemas["AnnotationOut"];
export type AnnotationFields = Schemas["AnnotationIn"];

/** The marks on the time line of an environment. */
export const annotationsQuery = (environment: string) =>
  queryOptions({
    queryKey: ["/v1/annotations", { environment }],
    queryFn: async ({ signal }) => (await answer(GET("/v1/annotations", { params: { query: { environment } }, signal }))).annotations,
    staleTime: 60_000,
  });

const pathParams = (annotation_id: string) => ({ params: { path: { annotation_id } } });

export const createAnnotation = (body: AnnotationFields) => answer(POST("/v1/annotations", { body }));
export const changeAnnotation = (id: string, body: Schemas["AnnotationChange"]) =>
  answer(PATCH("/v1/annotations/{annotation_id}", { ...pathParams(id), body }));
export const deleteAnnotation = (id: string) => deletion(id, DELETE("/v1/annotations/{annotation_id}", pathParams(id)));

/** Set an annotation that was deleted anew; its id is another one. */
export const restoreAnnotation = ({ environment, label, description, color, time, timeEnd, key }: Annotation) =>
  createAnnotation({ environment, label, description, color, time, timeEnd, key });
