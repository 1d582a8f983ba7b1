import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { parseExact } from "../core/exactJson.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import { type ActivityListOptions, type GroupSort, listParameters } from "./activityLists.ts";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type GroupKey = Schemas["GroupKeyOut"];
export type GroupRow = Schemas["GroupRow"];
export type ListedGroup = Schemas["ListedGroup"];
export type GroupPage = Schemas["GroupList"];
export type GroupDetail = Schemas["GroupDetail"];

/** The registered group keys, and the properties that could be registered. Free workspaces get a 402. */
export const groupKeysQuery = (environment: string) =>
  queryOptions({
    queryKey: ["/v1/groups/keys", { environment }],
    queryFn: ({ signal }) => answer(GET("/v1/groups/keys", { params: { query: { environment, timeRange: "7d" } }, signal })),
    staleTime: 60_000,
  });

/** Groups of a time range, 50 a page; by the default key unless `propKey` names another. */
export const groupsQuery = (environment: string, timeRange: TimeRange, propKey: string | undefined, list: ActivityListOptions<GroupSort> = {}) =>
  infiniteQueryOptions({
    queryKey: ["/v1/groups", { environment, propKey }, { timeRange, ...list }],
    queryFn: ({ signal, pageParam }) => {
      const position = pageParam === null ? {} : { cursor: pageParam };
      const query = { environment, ...timeRange, ...(propKey ? { propKey } : {}), ...listParameters(list), ...position };
      return answer(GET("/v1/groups", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** One group in a time range; 404 without an event there. The id stands in the query, which no URL client rewrites. */
export const groupQuery = (environment: string, timeRange: TimeRange, propKey: string | undefined, groupKey: string) =>
  queryOptions({
    queryKey: ["/v1/group", { environment, propKey, groupKey }, { timeRange }],
    queryFn: async ({ signal }) => {
      const query = { environment, ...timeRange, groupKey, ...(propKey ? { propKey } : {}) };
      return parseExact(await answer(GET("/v1/group", { params: { query }, parseAs: "text", signal }))) as GroupDetail;
    },
  });

const pathParams = (key_id: string) => ({ params: { path: { key_id } } });

/** Register a property as a group key; the first one is the default. Developers only. */
export const registerGroupKey = (body: Schemas["GroupKeyIn"]) => answer(POST("/v1/groups/keys", { body }));
/** Change the label of a group key, or make it the default. Developers only. */
export const changeGroupKey = (id: string, body: Schemas["GroupKeyChange"]) =>
  answer(PATCH("/v1/groups/keys/{key_id}", { ...pathParams(id), body }));
/** Remove a group key; its events stay. Developers only. */
export const removeGroupKey = (id: string) => answer(DELETE("/v1/groups/keys/{key_id}", pathParams(id)));
