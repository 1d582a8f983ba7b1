import { expect, test } from "vitest";
import type { Operator } from "./filters.ts";
import { type FilterValue, canCompare, readValue } from "./filterValues.ts";

test.each<[string, string[], FilterValue]>([
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
  expect(readValue(text, false, "eq", types)).toBe(value);
});

test("what is in quotes is a text, and so is what is compared with texts", () => {
  expect(readValue("5", true, "gt", ["number"])).toBe("5");
  expect(readValue("5", false, "contains", ["number"])).toBe("5");
  expect(readValue("5", false, "gt", ["string"])).toBe(5);
});

test.each<[Operator, FilterValue, boolean]>([
  ["gt", 5, true],
  ["gt", "9007199254740993", true],
  ["lte", "many", false],
  ["lt", true, false],
  ["gte", "", false],
  ["contains", "", false],
  ["regex", "^p", true],
  ["eq", "", true],
])("%s can compare with %j: %j", (op, value, isPossible) => {
  expect(canCompare(op, value)).toBe(isPossible);
});
