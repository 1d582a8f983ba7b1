import { expect, test } from "vitest";
import { moveEntry } from "./order.ts";

test.each([
  [0, 2, ["b", "c", "a"]],
  [2, 0, ["c", "a", "b"]],
  [1, 1, ["a", "b", "c"]],
  [0, 9, ["b", "c", "a"]],
  [2, -1, ["c", "a", "b"]],
  [7, 0, ["a", "b", "c"]],
])("from %i to %i", (fromIndex, toIndex, entries) => {
  expect(moveEntry(["a", "b", "c"], fromIndex, toIndex)).toEqual(entries);
});
