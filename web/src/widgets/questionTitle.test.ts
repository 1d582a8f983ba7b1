import { expect, test } from "vitest";
import examples from "../../../src/tallyroom/server/openapi/examples.json";
import type { Configs, Kind } from "./definition.ts";
import { MAX_TITLE_LENGTH, questionTitle } from "./questionTitle.ts";

const title = <K extends Kind>(kind: K, config: Configs[K]): string => questionTitle(kind, config);
const plusPlan = { key: "plan", op: "eq", value: "plus" } as const;
const played = { event: "track.play", measure: "count" } as const;

test.each([
  [{ event: "track.play", measure: "p95", property: "latency_ms", breakdown: "_source", filters: [plusPlan] }, "95th percentile of latency_ms of track.play by source, where plan is plus"],
  [{ event: "signup", measure: "uniq_actors" }, "Unique actors of signup"],
  [{ event: "signup", measure: "count" }, "signup"],
  [{ events: "all", measure: "count", breakdown: "name" }, "All events by event"],
  [{ events: ["a", "b"], measure: "count", breakdown: "prop:_source" }, "a, b by _source"],
  [{ event: "x", measure: "count", filters: [{ any: [plusPlan, { key: "total", op: "gt", value: 9 }] }, { key: "ref", op: "exists" }] }, "x, where plan is plus or total > 9 and ref is set"],
] as [Configs["metric"], string][])("a metric %j is called %s", (config, words) => {
  expect(title("metric", config)).toBe(words);
});

test("a formula has its measures in place of its letters", () => {
  const config: Configs["formula"] = { a: played, b: { event: "track.play", measure: "uniq_actors" }, expression: "a / b * 100", breakdown: "_group" };
  expect(title("formula", config)).toBe("track.play / (unique actors of track.play) * 100 by group");
  expect(title("formula", { a: played, expression: "a / c" })).toBe("track.play / c");
});

test("one number is called by its label or its measure, and several are not", () => {
  expect(title("kpi", { items: [{ ...played, label: "Plays" }] })).toBe("Plays");
  expect(title("kpi", { items: [{ ...played, measure: "uniq_actors" }] })).toBe("Unique actors of track.play");
  expect(title("kpi", { items: [played, played] })).toBe("");
});

test("other kinds say what they ask", () => {
  expect(title("funnel", { steps: [{ event: "a" }, { event: "b" }] })).toBe("a → b");
  expect(title("retention", { cohortEvent: "signup", returnEvent: "purchase" })).toBe("Retention of signup, returning with purchase");
  expect(title("retention", { cohortEvent: "" })).toBe("");
  expect(title("histogram", { event: "x", property: "ms" })).toBe("ms of x");
  expect(title("heatmap", { event: "x", filters: [plusPlan] })).toBe("x by hour of the week, where plan is plus");
  expect(title("table", { columns: ["time"] })).toBe("Newest events");
  expect(title("table", { event: "x", columns: ["time"] })).toBe("Newest x");
  expect(title("note", { text: "Hello" })).toBe("");
});

test("a title is never longer than a widget's may be", () => {
  const longTitle = title("metric", { event: "é".repeat(200), measure: "uniq_actors" });
  expect(Array.from(longTitle)).toHaveLength(MAX_TITLE_LENGTH);
  expect(longTitle).toMatch(/…$/);
});

test("a kind that is newer than the app has no words", () => {
  expect(questionTitle("galaxy" as Kind, {})).toBe("");
});

test.each(examples)("the question $name has a title that says no nonsense", ({ request }) => {
  expect(questionTitle(request.type as Kind, request.config)).not.toMatch(/undefined|null|\[object/);
});
