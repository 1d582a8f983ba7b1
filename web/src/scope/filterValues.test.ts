import { expect, test } from "vitest";
import { valueOfText } from "./filterValues.ts";

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
])("%j of a key with %j is %j", (text, types, value) => {
  expect(valueOfText(text, types)).toBe(value);
});
