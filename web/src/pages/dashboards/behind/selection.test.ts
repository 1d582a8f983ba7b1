import { expect, test } from "vitest";
import type { Result, Spot, Widget } from "../../../api/widgets.ts";
import { type Filter, filtersInWords } from "../../../scope/filters.ts";
import { type KnownKeys, filtersOfEvents, selectionOf } from "./selection.ts";

const PRO: Filter = { key: "plan", op: "eq", value: "pro" };
const KEYS: KnownKeys = { typesOf: (key) => (key === "genres" ? ["list"] : key === "payload" ? ["object"] : ["string"]), groupKey: "server" };

function wordsOf(type: Widget["type"], config: object, spot: Spot, answer?: object, keys: KnownKeys = KEYS) {
  const selection = selectionOf({ type, config }, spot, answer as Result | undefined, keys);
  return selection && [selection.name ?? "any", filtersInWords(selection.filters), selection.leftOut.join(", ")];
}

const rows = { kind: "categorical", rows: [{ label: "a", value: 2 }, { label: "b", value: 1 }, { label: null, value: 1, kind: "other" }] };
const buckets = { kind: "histogram", buckets: [{ from: 0, to: 5, count: 2 }, { from: 5, to: 10, count: 1 }] };

test.each<[string, unknown, (string | null)[] | null]>([
  ["a count of one event", wordsOf("metric", { event: "x", measure: "count", filters: [PRO] }, {}), ["x", "plan is pro", ""]],
  ["a count of two", wordsOf("metric", { events: ["x", "y"], measure: "count" }, { t: "" }), ["any", "name is one of x, y", ""]],
  ["a count of all", wordsOf("metric", { events: "all", measure: "count" }, {}), ["any", "", ""]],
  ["actors", wordsOf("metric", { event: "x", measure: "uniq_actors" }, {}), ["x", "_actor is set", ""]],
  ["a sum", wordsOf("metric", { event: "x", measure: "sum", property: "total" }, {}), ["x", "total is set", ""]],
  ["a label", wordsOf("metric", { event: "x", measure: "count", breakdown: "plan" }, { label: "a b" }), ["x", "plan is a b", ""]],
  ["an element of a list", wordsOf("metric", { event: "x", measure: "count", breakdown: "genres" }, { label: "lofi" }), ["x", "genres is lofi or genres has lofi", ""]],
  ["an object", wordsOf("metric", { event: "x", measure: "count", breakdown: "payload" }, { label: "{}" }), ["x", "", "payload"]],
  ["no label", wordsOf("metric", { event: "x", measure: "count", breakdown: "plan" }, { label: null, kind: "none" }), ["x", "plan is not set", ""]],
  ["other labels", wordsOf("metric", { event: "x", measure: "count", breakdown: "plan" }, { label: null, kind: "other" }, rows), ["x", "plan is set, plan is none of a, b", ""]],
  ["a group", wordsOf("metric", { event: "x", measure: "count", breakdown: "_group" }, { label: "g" }), ["x", "server is g", ""]],
  ["a group without a key", wordsOf("metric", { event: "x", measure: "count", breakdown: "_group" }, { label: "g" }, undefined, { typesOf: () => [] }), ["x", "", "the group"]],
  ["parts of a formula", wordsOf("formula", { a: { event: "x", measure: "count" }, b: { event: "x", measure: "count" }, expression: "a / b" }, { t: "" }), ["x", "", ""]],
  ["other parts", wordsOf("formula", { a: { event: "x", measure: "count" }, b: { event: "y", measure: "count" }, expression: "a / b" }, {}), null],
  ["one number of several", wordsOf("kpi", { items: [{ event: "x", measure: "count" }, { event: "y", measure: "avg", property: "ms" }] }, { item: 1 }), ["y", "ms is set", ""]],
  ["a bucket", wordsOf("histogram", { event: "x", property: "ms" }, { bucket: 0 }, buckets), ["x", "ms is set, ms ≥ 0, ms < 5", ""]],
  ["the last bucket", wordsOf("histogram", { event: "x", property: "ms" }, { bucket: 1 }, buckets), ["x", "ms is set, ms ≥ 5, ms ≤ 10", ""]],
  ["an hour of the week", wordsOf("heatmap", { event: "x" }, { cell: [0, 1] }), ["x", "", "the hour of the week"]],
  ["a step", wordsOf("funnel", { steps: [] }, { step: 1, outcome: "reached" }), null],
])("the events behind %s", (_, selection, expected) => {
  expect(selection).toEqual(expected);
});

test("the segment of a widget stays", () => {
  expect(selectionOf({ type: "metric", config: { event: "x", measure: "count", segmentId: "s1" } } as unknown as Widget, {}, undefined, KEYS)?.segmentId).toBe("s1");
});

test("a name is one more filter", () => {
  expect(filtersInWords(filtersOfEvents({ name: "x", filters: [PRO] }))).toBe("name is x, plan is pro");
  expect(filtersOfEvents({ filters: [PRO] })).toEqual([PRO]);
});
