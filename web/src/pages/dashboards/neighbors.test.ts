import { expect, test } from "vitest";
import type { Result, Spot, Widget } from "../../api/widgets.ts";
import { neighborsOf } from "./neighbors.ts";

const step = { count: 4, rate: 1, stepRate: 1, waiting: 0, medianSecondsFromPrevious: null };
const cohort = { start: "2026-11-16T00:00:00.000Z", size: 5, values: [5, 2, null] };

const CASES: [type: string, config: object, answer: object, spot: Spot, words: string, next: Spot | undefined][] = [
  ["kpi", { items: [] }, { kind: "kpi", items: [{ label: "Plays" }, { label: "Errors" }] }, { item: 0 }, "Plays", { item: 1 }],
  ["funnel", { steps: [] }, { kind: "funnel", steps: [{ ...step, event: "a" }, { ...step, event: "b" }] }, { step: 1, outcome: "stopped" }, "stopped after a", { step: 2, outcome: "stopped" }],
  ["retention", {}, { kind: "retention", granularity: "week", cohorts: [cohort] }, { cohort: cohort.start, period: 1 }, "cohort of 16 Nov, week 1", { cohort: cohort.start, period: 2 }],
  ["heatmap", {}, { kind: "heatmap", cells: [[1, 2], [3, 4]] }, { cell: [1, 1] }, "Tue 01:00", undefined],
  ["histogram", { property: "ms" }, { kind: "histogram", buckets: [{ from: 0, to: 1, count: 2 }, { from: 1, to: 2, count: 1 }] }, { bucket: 1 }, "ms from 1 to 2", undefined],
  ["formula", {}, { kind: "counter", value: 1, previous: null }, {}, "", undefined],
];

test.each(CASES)("a number of a %s is named, and has its neighbors", (type, config, answer, spot, words, next) => {
  const neighbors = neighborsOf(answer as Result, { type, config } as Widget, spot, "UTC");
  expect(neighbors.words).toBe(words);
  expect(neighbors.next?.spot).toEqual(next);
});

test("a number that the answer does not have has no words", () => {
  const answer = { kind: "kpi", items: [] } as unknown as Result;
  expect(neighborsOf(answer, { type: "kpi", config: { items: [] } } as unknown as Widget, { item: 9 }, "UTC").words).toBe("");
  expect(neighborsOf(undefined, { type: "kpi", config: {} } as unknown as Widget, { item: 0 }, "UTC").words).toBe("");
});
