import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { parseExact } from "../core/exactJson.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import { type ActivityListOptions, listParameters } from "./activityLists.ts";
import { DELETE, GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type ActorRow = Schemas["ActorRow"];
export type ActorDetail = Schemas["ActorDetail"];

/** Actors of a time range, 50 a page; `q` keeps those whose key or label contains it. */
export const actorsQuery = (environment: string, timeRange: TimeRange, list: ActivityListOptions = {}) =>
  infiniteQueryOptions({
    queryKey: ["/v1/actors", { environment }, { timeRange, ...list }],
    queryFn: ({ signal, pageParam }) => {
      const query = { environment, ...timeRange, ...listParameters(list), ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answer(GET("/v1/actors", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** One actor in a time range; 404 without an event there. The key stands in the query, which no URL client rewrites. */
export const actorQuery = (environment: string, timeRange: TimeRange, actorKey: string) =>
  queryOptions({
    queryKey: ["/v1/actor", { environment, actorKey }, { timeRange }],
    queryFn: async ({ signal }) => {
      const query = { environment, ...timeRange, actorKey };
      return parseExact(await answer(GET("/v1/actor", { params: { query }, parseAs: "text", signal }))) as ActorDetail;
    },
  });

/** Erase an actor's events and label for good, and return how many events there were. Developers only. */
export const eraseActor = (environment: string, actorKey: string) =>
  answer(DELETE("/v1/actor", { params: { query: { environment, actorKey } } }));
