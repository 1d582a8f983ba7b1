import { expect, test } from "vitest";
import { nextItemIndex } from "./keys.ts";

const words = ["Edit", "Duplicate", "Delete"];

test.each([
  ["ArrowDown", 0, 1],
  ["ArrowDown", 2, 0],
  ["ArrowDown", -1, 0],
  ["ArrowUp", 0, 2],
  ["ArrowUp", -1, 2],
  ["Home", 2, 0],
  ["End", 0, 2],
  ["d", 0, 1],
  ["d", 1, 2],
  ["D", 2, 1],
  ["x", 0, null],
  [" ", 0, null],
  ["Enter", 0, null],
])("%s from item %i leads to %s", (key, at, next) => {
  expect(nextItemIndex(key, words, at)).toBe(next);
});

test("a menu without items leads nowhere", () => {
  expect(nextItemIndex("ArrowDown", [], -1)).toBeNull();
});
