import { queryOptions } from "@tanstack/react-query";
import type { Span } from "../core/spans.ts";
import { GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type EventName = components["schemas"]["EventName"];
export type PropertyKey = components["schemas"]["PropertyKey"];

/** Names of events by how often they came, and the property keys they carry, within a span. */
export const namesQuery = (environment: string, span: Span = { timeRange: "90d" }) =>
  queryOptions({
    queryKey: ["/v1/schema", { environment, ...span }],
    queryFn: ({ signal }) => answer(GET("/v1/schema", { params: { query: { environment, ...span } }, signal })),
    staleTime: 60_000,
  });
