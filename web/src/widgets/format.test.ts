import { expect, test } from "vitest";
import rows from "../../../fixtures/charts/widget_numbers.json";
import { bigNumber, formatOf } from "./format.ts";

test.each(rows)("$value with $decimals decimals and the unit $unit, as in pictures", ({ value, decimals, unit, exact, alone }) => {
  expect(formatOf({ decimals, unit })(value)).toBe(exact);
  const shownUnit = unit !== null && value !== null ? `\u2009${unit}` : "";
  expect(bigNumber(value, { decimals, unit }).value + shownUnit).toBe(alone);
});

test("a number that lost digits has its full form beside it", () => {
  expect(bigNumber(1_940_221, null)).toEqual({ value: "1.94M", fullValue: "1,940,221" });
  expect(bigNumber(842, null).fullValue).toBeUndefined();
});
