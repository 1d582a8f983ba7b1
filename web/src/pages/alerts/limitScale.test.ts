import { expect, test } from "vitest";
import { limitScaleOf } from "./limitScale.ts";

/** A plot of 200 px whose axis extends from one value to another. */
const plot = (low: number, high: number) => ({ height: 200, y: (value: number) => (1 - (value - low) / (high - low)) * 200 });

test.each([
  [0, 100, true, 1],
  [0, 40, true, 1],
  [0, 250, true, 2],
  [0, 1, false, 0.01],
  [0, 0.3, false, 0.002],
  [200, 1_000, false, 5],
  [-50, 50, false, 1],
  [0, 1e20, true, 1e18],
  [0, 4e-9, false, 2e-11],
])("an axis from %d to %d has steps of a readable size", (low, high, isWhole, step) => {
  expect(limitScaleOf(plot(low, high), isWhole)).toMatchObject({ lowest: low, highest: high, step });
});

test("a place is the nearest limit, and places outside of the plot are its ends", () => {
  const scale = limitScaleOf(plot(0, 0.3), false);
  expect([0, 100, 101, 200].map(scale.limitAt)).toEqual([0.3, 0.15, 0.148, 0]);
  expect([-90, 900].map(scale.limitAt)).toEqual([0.3, 0]);
});

test("keys go from one readable limit to the next, also from one that was typed", () => {
  const scale = limitScaleOf(plot(0, 250), true);
  expect([scale.moveBy(40, 1), scale.moveBy(40, -10), scale.moveBy(41, 1), scale.moveBy(41, -1)]).toEqual([42, 20, 42, 40]);
  expect([scale.moveBy(249, 10), scale.moveBy(3, -10)]).toEqual([250, 0]);
});
