import { expect, test } from "vitest";
import { plotOf } from "./plot.ts";

const DAY = 86_400_000;
const times = [0, 1, 2, 3].map((day) => Date.UTC(2026, 10, 20 + day));
const series = [{ label: "orders", color: "var(--s1)", values: [1, 2, 3, 4], compared: null, total: 10 }];
const line = { times, series, interval: "day", partial: [] } as never;
const options = { isStacked: false, axis: null, zone: "UTC", reachedValues: [] };
const plot = plotOf(line, { ...options, shape: "line" }, 300, 100);
const bars = plotOf(line, { ...options, shape: "bar" }, 300, 100);

test("a moment stands between the points around it", () => {
  expect(plot.xOfTime((times[1] ?? 0) + DAY / 2)).toBe(150);
});

test("what happens in the last bucket stands at its point", () => {
  expect(plot.xOfTime((times[3] ?? 0) + DAY / 2)).toBe(300);
  expect(bars.xOfTime((times[3] ?? 0) + DAY / 2)).toBe(bars.x(3));
});

test.each([plot, bars])("what is before the first or after the last bucket has no place", ({ xOfTime }) => {
  expect(xOfTime((times[0] ?? 0) - 1)).toBeNull();
  expect(xOfTime((times[3] ?? 0) + DAY + 1)).toBeNull();
});

test("areas are stacked when there are several: one alone keeps its gaps", () => {
  const area = (count: number) => plotOf({ times, series: Array(count).fill(series[0]), interval: "day", partial: [] } as never, { ...options, isStacked: true, shape: "area" }, 300, 100);
  expect(area(1).layers).toBeNull();
  expect(area(2).layers).toHaveLength(2);
});

test("the axis of a line is its time span, and half of it without data looks half empty", () => {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const plot = plotOf({ times, series, timeSpan: [first - (last - first), last] } as never, { ...options, shape: "line" }, 900, 100);
  expect([plot.x(0), plot.x(times.length - 1)]).toEqual([450, 900]);
  expect([plot.nearestBucket(10), plot.nearestBucket(890)]).toEqual([0, times.length - 1]);
  expect(plot.xOfTime(first - (last - first))).toBe(0);
  expect(plot.momentLabels.some(({ share }) => share < 0.5)).toBe(true);
});
