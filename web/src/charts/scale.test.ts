import { expect, test } from "vitest";
import rows from "../../../fixtures/charts/ticks.json";
import { linearScale, valueTicks } from "./scale.ts";
import { valueLabels } from "./ticks.ts";

test.each(rows)("an axis from $lowest to $highest", ({ lowest, highest, most, whole, values, labels }) => {
  const ticks = valueTicks(lowest, highest, most, whole);
  expect(ticks.values).toHaveLength(values.length);
  ticks.values.forEach((value, index) => {
    const expected = values[index] ?? Number.NaN;
    expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-6 * Math.abs(expected));
  });
  expect(valueLabels(ticks)).toEqual(labels);
});

test("values become shares of the plot", () => {
  const scale = linearScale(100, 300);
  expect([100, 200, 300, 400].map(scale)).toEqual([0, 0.5, 1, 1.5]);
});

test("a value that never changes is in the middle, and a huge span does not overflow", () => {
  expect(linearScale(7, 7)(7)).toBe(0.5);
  expect(linearScale(-1.7e308, 1.7e308)(0)).toBe(0.5);
});
