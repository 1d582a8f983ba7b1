import { expect, test } from "vitest";
import type { Event } from "../../api/events.ts";
import { filterInWords } from "../../scope/filters.ts";
import { valueFilters, withFilter } from "./valueFilters.ts";

const EVENT: Event = {
  id: "1",
  name: "track.error",
  source: "gateway-2",
  timestamp: "2026-11-20T12:04:35.218Z",
  properties: { plan: "plus", shard: 14, id: 201133927711440896n, live: false, name: "x", track: { a: 1 }, none: null, filters: ["a", "b", {}, "c", "d"] },
  actorKey: "184405311681986560",
  actorLabel: "ferro",
};

test("each value of an event can be filtered by", () => {
  expect(valueFilters(EVENT).map(filterInWords)).toEqual([
    "name is track.error",
    "_actor is 184405311681986560",
    "_source is gateway-2",
    "plan is plus",
    "shard is 14",
    "id is 201133927711440896",
    "live is false",
    "prop:name is x",
    "filters has a",
    "filters has b",
    "filters has c",
  ]);
});

test("an event without actor and source has no filters by them", () => {
  expect(valueFilters({ ...EVENT, actorKey: null, source: null, properties: [] })).toHaveLength(1);
});

test("the same filter is not added twice", () => {
  const filter = { key: "plan", op: "eq" as const, value: "plus" };
  expect(withFilter([filter], { ...filter })).toEqual([filter]);
  expect(withFilter([filter], { ...filter, value: "free" })).toHaveLength(2);
});
