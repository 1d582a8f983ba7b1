import { expect, test } from "vitest";
import type { Event } from "../api/events.ts";
import { newEventsIn } from "./poll.ts";

const list = (...ids: string[]): Event[] =>
  ids.map((id) => ({ id, name: "a", source: null, timestamp: "", properties: {}, actorKey: null, actorLabel: null }));
const ids = (events: Event[]) => events.map(({ id }) => id);

test("new events come out in the order of arrival", () => {
  const { newEvents: fresh, hasOverlap } = newEventsIn(list("d", "c", "b", "a"), new Set(["a", "b"]));
  expect([ids(fresh), hasOverlap]).toEqual([["c", "d"], true]);
});

test("a page of nothing but new events may hide more behind it", () => {
  expect(newEventsIn(list("d", "c"), new Set(["a"])).hasOverlap).toBe(false);
  expect(newEventsIn([], new Set(["a"]))).toEqual({ newEvents: [], hasOverlap: false });
});

test("an event that came late among known ones is new", () => {
  expect(ids(newEventsIn(list("d", "c", "b"), new Set(["d", "b"])).newEvents)).toEqual(["c"]);
});
