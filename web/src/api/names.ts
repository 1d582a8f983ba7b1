import { queryOptions } from "@tanstack/react-query";
import type { TimeRange } from "../core/timeRanges.ts";
import { GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type EventName = components["schemas"]["EventName"];
export type PropertyKey = components["schemas"]["PropertyKey"];

/** Names of events by how often they came, and the property keys they carry, within a time range. */
export const namesQuery = (environment: string, timeRange: TimeRange = { timeRange: "90d" }) =>
  queryOptions({
    queryKey: ["/v1/schema", { environment, ...timeRange }],
    queryFn: ({ signal }) => answer(GET("/v1/schema", { params: { query: { environment, ...timeRange } }, signal })),
    staleTime: 60_000,
  });
