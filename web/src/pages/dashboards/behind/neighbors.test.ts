import { expect, test } from "vitest";
import type { Result, Spot, Widget } from "../../../api/widgets.ts";
import { neighborsOf } from "./neighbors.ts";

const step = { count: 4, rate: 1, stepRate: 1, waiting: 1, medianSecondsFromPrevious: null };
const cohort = { start: "2026-11-16T00:00:00.000Z", size: 5, values: [5, 2, null] };
const hours = { kind: "timeseries", interval: "hour", points: [{ t: "2026-11-16T09:00:00.000Z", value: 1_205 }] };

type Case = [type: string, config: object, answer: object, spot: Spot, words: string, value: string, next: Spot | undefined];
const CASES: Case[] = [
  ["kpi", { items: [] }, { kind: "kpi", items: [{ label: "Plays", value: 3 }, { label: "Errors", value: 4 }] }, { item: 0 }, "Plays", "3", { item: 1 }],
  ["metric", { display: { unit: "ms" } }, hours, { t: "2026-11-16T09:00:00.000Z" }, "Mon 16 Nov 2026, 09:00", "1,205\u2009ms", undefined],
  [
    "funnel",
    { steps: [] },
    { kind: "funnel", steps: [{ ...step, event: "a" }, { ...step, event: "b", count: 2 }, { ...step, event: "c", count: 1 }] },
    { step: 1, outcome: "stopped" },
    "stopped after a",
    "1",
    { step: 2, outcome: "stopped" },
  ],
  ["retention", {}, { kind: "retention", granularity: "week", cohorts: [cohort] }, { cohort: cohort.start, period: 1 }, "cohort of 16 Nov, week 1", "2", { cohort: cohort.start, period: 2 }],
  ["heatmap", {}, { kind: "heatmap", cells: [[1, 2], [3, 4]] }, { cell: [1, 1] }, "Tue 01:00", "4", undefined],
  ["histogram", { property: "ms" }, { kind: "histogram", buckets: [{ from: 0, to: 1, count: 2 }, { from: 1, to: 2, count: 1 }] }, { bucket: 1 }, "ms from 1 to 2", "1", undefined],
  ["formula", {}, { kind: "counter", value: 1.5, previous: null }, {}, "", "1.5", undefined],
];

const neighborsIn = (type: string, config: object, answer: object | undefined, spot: Spot) =>
  neighborsOf(answer as Result | undefined, { type, config } as Widget, spot, "UTC");

test.each(CASES)("a number of a %s is named and written, and has its neighbors", (type, config, answer, spot, words, value, next) => {
  const neighbors = neighborsIn(type, config, answer, spot);
  expect(neighbors.current?.inWords()).toBe(words);
  expect(neighbors.current?.format(neighbors.current.value)).toBe(value);
  expect(neighbors.next?.spot).toEqual(next);
});

test("a point and a period have a time", () => {
  const point = neighborsIn("metric", {}, hours, { t: "2026-11-16T09:00:00.000Z" }).current;
  expect(point?.bucket?.()).toEqual({ startMs: Date.parse("2026-11-16T09:00:00Z"), interval: "hour" });
  const period = neighborsIn("retention", {}, { kind: "retention", granularity: "week", cohorts: [cohort] }, { cohort: cohort.start, period: 2 }).current;
  expect(period?.bucket?.()).toEqual({ startMs: Date.parse("2026-11-30T00:00:00Z"), interval: "week" });
});

test("nobody can stop at the last step", () => {
  const answer = { kind: "funnel", steps: [{ ...step, event: "a" }, { ...step, event: "b" }] };
  expect(neighborsIn("funnel", { steps: [] }, answer, { step: 1, outcome: "stopped" }).next).toBeUndefined();
  expect(neighborsIn("funnel", { steps: [] }, answer, { step: 1, outcome: "reached" }).next?.spot).toEqual({ step: 2, outcome: "reached" });
});

test("a number that the answer does not have is not there", () => {
  expect(neighborsIn("kpi", { items: [] }, { kind: "kpi", items: [] }, { item: 9 }).current).toBeUndefined();
  expect(neighborsIn("kpi", {}, undefined, { item: 0 }).current).toBeUndefined();
});
