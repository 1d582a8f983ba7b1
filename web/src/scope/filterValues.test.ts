import { expect, test } from "vitest";
import { valueFromInput } from "./filterValues.ts";

test.each([
  ["5", ["number"], 5],
  ["5", ["string"], "5"],
  ["9007199254740992", ["number"], 9007199254740992],
  [" 9007199254740993 ", ["number"], "9007199254740993"],
  ["5", [], "5"],
  [" ", ["number"], " "],
  ["x", ["number"], "x"],
  ["true", ["boolean"], true],
  ["true", ["string"], "true"],
  ["a,b", ["string"], "a,b"],
])("%j of a property with %j is %j", (text, types, value) => {
  expect(valueFromInput(text, { isList: false, types })).toBe(value);
});

test("commas separate the values of a list", () => {
  expect(valueFromInput("1, 2,x,,", { isList: true, types: ["number"] })).toEqual([1, 2, "x"]);
});
