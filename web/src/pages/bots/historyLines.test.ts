import { expect, test } from "vitest";
import { historyLineOf, growthPerDay } from "./historyLines.ts";

const HOUR = 3_600_000;
const histories = new Map([
  ["1", [{ time: 0, value: 5 }, { time: HOUR, value: 6 }]],
  ["2", [{ time: HOUR, value: 9 }]],
]);
const BOTS = [{ id: "1", name: "Teapot", color: 5 }, { id: "2", name: "Umbrella", color: 8 }];

test("bots share their moments, and a younger one has no value before it was known", () => {
  const line = historyLineOf(histories, BOTS, "alltime");
  expect(line.times).toEqual([0, HOUR]);
  expect(line.series.map(({ name, values, total, color }) => [name, values, total, color])).toEqual([
    ["Teapot", [5, 6], 6, 5],
    ["Umbrella", [null, 9], 9, 8],
  ]);
});

test("the axis is the time frame, however short the history is", () => {
  expect(historyLineOf(histories, BOTS, "1d").timeSpan).toEqual([HOUR - 23 * HOUR, HOUR]);
  expect(historyLineOf(histories, BOTS, "90d").timeSpan).toEqual([HOUR - 89 * 24 * HOUR, HOUR]);
  expect(historyLineOf(histories, BOTS, "alltime").timeSpan).toBeUndefined();
  expect(historyLineOf(new Map(), BOTS, "90d").timeSpan).toBeUndefined();
});

test("a counter grows by so much on an average day", () => {
  const month = new Map([["1", [{ time: 0, value: 100 }, { time: 10 * 24 * HOUR, value: 160 }]]]);
  expect(growthPerDay(month, "1")).toBe(6);
  expect(growthPerDay(histories, "1")).toBeNull();
  expect(growthPerDay(undefined, "1")).toBeNull();
});
