import { describe, expect, test } from "vitest";
import examples from "../../../src/tallyroom/server/openapi/examples.json";
import type { Kind } from "./definition.ts";
import { type Drawing, type DrawnQuestion, drawingOf, drawingsOf, drawnAs } from "./drawings.ts";

const plusPlan = { key: "plan", op: "eq", value: "plus" };
const plays: DrawnQuestion = { kind: "metric", config: { event: "play", measure: "count", overTime: true, filters: [plusPlan], segmentId: "s" } };
const byPlan: DrawnQuestion = {
  kind: "metric",
  config: { event: "play", measure: "p95", property: "ms", overTime: true, interval: "hour", compare: "previous", breakdown: "plan", rest: "other", limit: 4, display: { unit: "ms", chart: "area" } },
};
const ratio: DrawnQuestion = { kind: "formula", config: { a: { event: "play", measure: "count" }, expression: "a * 2", overTime: false } };
const oneNumber: DrawnQuestion = {
  kind: "kpi",
  config: { items: [{ event: "play", measure: "count", label: "Plays", good: "up", goal: 9, filters: [plusPlan] }], compare: false, segmentId: "s" },
};

describe("a question can be drawn as what fits it", () => {
  test.each<[string, DrawnQuestion, Drawing[]]>([
    ["a count", plays, ["line", "area", "bar", "number", "heatmap", "table"]],
    ["a percentile by plan", byPlan, ["line", "area", "bar", "ranked", "number", "table"]],
    ["a formula", ratio, ["line", "area", "bar", "number"]],
    ["one number of a strip", oneNumber, ["line", "area", "bar", "number", "heatmap", "table"]],
    ["several numbers", { kind: "kpi", config: { items: [{}, {}] } }, []],
    ["a heat map", { kind: "heatmap", config: { event: "play" } }, ["line", "area", "bar", "number", "heatmap", "table"]],
    ["a table", { kind: "table", config: { columns: ["time"] } }, ["line", "area", "bar", "number", "heatmap", "table"]],
    ["a funnel", { kind: "funnel", config: { steps: [] } }, []],
  ])("%s", (_, question, drawings) => {
    expect(drawingsOf(question)).toEqual(drawings);
  });
});

test("a question is what it was if it is drawn as it is", () => {
  for (const question of [plays, byPlan, ratio, oneNumber]) {
    expect(drawnAs(question, drawingOf(question) ?? "line")).toBe(question);
  }
});

test("what was asked carries over to lines, ranks and numbers", () => {
  expect(drawnAs(byPlan, "bar")?.config).toMatchObject({ measure: "p95", breakdown: "plan", interval: "hour", compare: "previous", display: { unit: "ms", chart: "bar" } });
  expect(drawnAs(byPlan, "ranked")?.config).toMatchObject({ breakdown: "plan", rest: "other", limit: 4, overTime: false, compare: null, interval: null });
  expect(drawnAs(byPlan, "number")?.config).toMatchObject({ measure: "p95", breakdown: null, rest: null, overTime: false, compare: "previous", display: { unit: "ms" } });
});

test("a goal of an earlier version of the config stays", () => {
  const saved: DrawnQuestion = { kind: "metric", config: { event: "play", measure: "count", goal: 5, good: "up" } };
  expect(drawnAs(saved, "area")?.config).toMatchObject({ goal: null, good: null, display: { goal: 5, good: "up", chart: "area" } });
});

test("the selection of events carries over to a heat map, to the events, and back", () => {
  const heatmap = drawnAs(plays, "heatmap");
  expect(heatmap).toEqual({ kind: "heatmap", config: { event: "play", filters: [plusPlan], segmentId: "s" } });
  expect(drawnAs(heatmap ?? plays, "line")?.config).toMatchObject({ event: "play", measure: "count", overTime: true, filters: [plusPlan], segmentId: "s" });
  expect(drawnAs(byPlan, "table")).toEqual({ kind: "table", config: { event: "play", columns: ["time", "event", "actor", "prop:plan", "prop:ms"] } });
  expect(drawnAs({ kind: "metric", config: { measure: "count", events: ["a", "b"], breakdown: "_source" } }, "table")?.config).toEqual({ events: ["a", "b"], columns: ["time", "event", "actor", "source"] });
});

test("a number of a strip keeps its goal and what is good", () => {
  expect(drawnAs(oneNumber, "line")).toEqual({
    kind: "metric",
    config: { event: "play", measure: "count", filters: [plusPlan], segmentId: "s", compare: false, overTime: true, chart: null, goal: null, good: null, display: { good: "up", goal: 9, chart: "line" } },
  });
});

test.each(examples)("the question $name is drawn as itself without a change", ({ request }) => {
  const question = { kind: request.type as Kind, config: request.config };
  const drawing = drawingOf(question);
  if (drawing) expect(drawnAs(question, drawing)).toBe(question);
  else expect(drawingsOf(question)).toEqual([]);
});
