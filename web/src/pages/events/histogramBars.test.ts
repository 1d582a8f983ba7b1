import { expect, test } from "vitest";
import type { Result } from "../../api/widgets.ts";
import { barIndexAt, histogramOf, timeRangeOfBars } from "./histogramBars.ts";

const times = ["2026-11-20T11:05:00.000Z", "2026-11-20T11:06:00.000Z", "2026-11-20T11:07:00.000Z"];
const points = (...values: number[]) => values.map((value, index) => ({ t: times[index] ?? "", value, ...(index === 2 ? { partial: true } : {}) }));
const RESULT: Result = {
  kind: "multiseries",
  interval: "minute",
  series: [
    { label: "track.play", points: points(5, 6, 1) },
    { label: "track.error", points: points(0, 2, 0) },
    { label: null, kind: "other", points: points(1, 1, 1) },
    { label: "gone", points: points(0, 0, 0) },
  ],
};

test("bars add up the names, and failures stand out", () => {
  const found = histogramOf(RESULT);
  expect(found?.names).toEqual([
    { name: "track.play", color: "var(--s8)", total: 12 },
    { name: "track.error", color: "var(--s7)", total: 2 },
    { name: "other", color: "var(--rest)", total: 3 },
  ]);
  expect(found?.bars.map(({ counts, total, isPartial }) => [counts, total, isPartial])).toEqual([
    [[5, 0, 1], 6, false],
    [[6, 2, 1], 9, false],
    [[1, 0, 1], 2, true],
  ]);
  expect(found?.total).toBe(17);
});

test("the last bar is open until its stretch of time is over, or cut by a time range of the past", () => {
  expect(histogramOf(RESULT)?.bars.map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
  const cutPoints = points(1, 2, 3).map((point, index) => (index === 2 ? { ...point, cut: true } : point));
  const bars = histogramOf({ ...RESULT, series: [{ label: "a", points: cutPoints }] })?.bars;
  expect(bars?.map(({ isPartial, isOpen }) => [isPartial, isOpen])).toEqual([[false, false], [false, false], [true, false]]);
});

test("a drag in either direction is the time range of its bars", () => {
  const bars = histogramOf(RESULT)?.bars ?? [];
  const timeRange = { from: times[1], to: "2026-11-20T11:08:00.000Z" };
  expect(timeRangeOfBars(bars, 1, 2)).toEqual(timeRange);
  expect(timeRangeOfBars(bars, 9, 1)).toEqual(timeRange);
  expect(timeRangeOfBars([], 0, 0)).toBeNull();
});

test("every place has a bar", () => {
  expect([-0.2, 0, 0.34, 0.99, 1, 3].map((share) => barIndexAt(share, 3))).toEqual([0, 0, 1, 2, 2, 2]);
});

test("another kind of answer is no histogram", () => {
  expect(histogramOf({ kind: "counter", value: 1, previous: null, delta: null })).toBeNull();
});
