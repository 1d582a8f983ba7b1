import { expect, test } from "vitest";
import rows from "../../../fixtures/charts/value_colors.json";
import { assignColors } from "./valueColors.ts";

test.each(rows)("the server's colors of an answer: $case", ({ values, chosen, colors }) => {
  const assigned = assignColors(values, chosen);
  expect(values.map((value) => assigned.get(value))).toEqual(colors);
});

test("without a card, no color is chosen", () => {
  expect(assignColors(["EWR", "JFK"])).toEqual(assignColors(["JFK", "EWR"], {}));
});
