import { expect, test } from "vitest";
import { extremeOf, extremePoints, extremeValueOf, thinPoints } from "./hours.ts";

const hoursOf = (...values: (number | null)[]) => values.map((value, index) => ({ t: `2026-11-20T0${index + 1}:00:00Z`, value }));
const valuesOf = (points: readonly { value: number | null }[]) => points.map(({ value }) => value);

test("an hour is shown by the minute that can begin an incident", () => {
  const past = { points: hoursOf(4, 5, null), minutes: { values: [4, 14, 4, 1, 5, null], lengths: [10, 2, 60, 8, 40, 60] } };
  expect(valuesOf(extremePoints(past, "highest"))).toEqual([14, 5, null]);
  expect(valuesOf(extremePoints(past, "lowest"))).toEqual([4, 1, null]);
  expect(extremePoints(past, "highest").map(({ t }) => t)).toEqual(past.points.map(({ t }) => t));
});

test("a value that lasts for hours stands in each of them", () => {
  const past = { points: hoursOf(0, 0, 7), minutes: { values: [9, 7], lengths: [61, 119] } };
  expect(valuesOf(extremePoints(past, "highest"))).toEqual([9, 9, 7]);
});

test("fewer points keep the peaks, each at its hour", () => {
  const points = hoursOf(1, 9, 2, null, 3, 8, null);
  expect(thinPoints(points, "highest", 3)).toEqual([points[1], points[5], points[6]]);
  expect(valuesOf(thinPoints(points, "lowest", 3))).toEqual([1, 3, null]);
  expect([extremeValueOf(points, "highest"), extremeValueOf(points, "lowest"), extremeValueOf([], "lowest")]).toEqual([9, 1, null]);
});

test("what is neither above nor below has no such minute", () => {
  expect([extremeOf("rises"), extremeOf("drops"), extremeOf("anomaly")]).toEqual(["highest", "lowest", null]);
});
