import { expect, test } from "vitest";
import { initials } from "./initials.ts";

test.each([
  ["Ada King", "AK"],
  ["ada", "A"],
  ["Ada Maria King", "AK"],
  ["  ", ""],
  ["ångström öst", "ÅÖ"],
  ["𝒜da", "𝒜"],
])("the initials of %j are %j", (name, expected) => {
  expect(initials(name)).toBe(expected);
});
