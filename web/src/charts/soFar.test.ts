import { expect, test } from "vitest";
import { plotOf } from "./plot.ts";
import type { TimeLine } from "./series.ts";
import { placeSoFar } from "./soFar.ts";

const DAY = 86_400_000;
const OPTIONS = { isStacked: true, axis: null, zone: "UTC", reachedValues: [] };
const lineOf = (values: (number | null)[], partial: number[]): TimeLine => ({
  times: values.map((_, index) => index * DAY),
  series: [{ name: "Plays", values, total: null }],
  partialBuckets: new Set(partial),
});
const placeOf = (values: (number | null)[], partial: number[], shape: "line" | "bar" = "line") => {
  const line = lineOf(values, partial);
  return placeSoFar(line, plotOf(line, { ...OPTIONS, shape }, 600, 200), shape);
};

test("the words stand over the middle of the ring of the bucket that is not over", () => {
  const place = placeOf([90, 100, 95, 20], [3]);
  expect(place).toMatchObject({ left: 600 });
  expect(place?.top).toBeGreaterThan(100);
});

test("they cover no dot at the end of a line", () => {
  const place = placeOf(Array.from({ length: 60 }, (_, index) => (index === 59 ? 80 : 100)), [59]);
  const line = lineOf(Array.from({ length: 60 }, () => 100), []);
  const dotY = plotOf(line, { ...OPTIONS, shape: "line" }, 600, 200).y(100);
  expect(place === null || place.top >= dotY + 6 || place.top + 16 <= dotY - 6).toBe(true);
});

test("they leave a high line alone, and stand below the ring", () => {
  const place = placeOf(Array.from({ length: 60 }, (_, index) => (index === 59 ? 98 : 100)), [59]);
  expect(place?.top).toBeGreaterThan(4);
});

test("nothing is said of a bucket that the window cuts, or that has no value", () => {
  expect(placeOf([20, 90, 100], [0])).toBeNull();
  expect(placeOf([20, 90, null], [2])).toBeNull();
  expect(placeOf([20, 90, 100], [])).toBeNull();
  const line = { ...lineOf([20, 90, 40], [2]), isOver: true };
  expect(placeSoFar(line, plotOf(line, { ...OPTIONS, shape: "line" }, 600, 200), "line")).toBeNull();
});

test("a narrow column that fills the plot leaves no room, in a wide one the words stand within its outline", () => {
  expect(placeOf(Array.from({ length: 60 }, () => 10), [59], "bar")).toBeNull();
  expect(placeOf([5, 5, 10], [2], "bar")?.top).toBeGreaterThan(0);
});
