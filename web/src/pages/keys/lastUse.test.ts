import { expect, test } from "vitest";
import { isInUse, lastUseInWords } from "./lastUse.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const before = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

test.each([
  [null, "never"],
  [before(1), "now"],
  [before(119), "now"],
  [before(360), "6\u00a0min ago"],
  [before(3 * 86_400), "3\u00a0days ago"],
  [before(72 * 86_400), "9 Sep 2026"],
])("a key used at %s was used %s", (at, words) => {
  expect(lastUseInWords(at, "UTC", NOW)).toBe(words);
});

test("a key that was never used is not in use", () => {
  expect(isInUse(null, NOW)).toBe(false);
  expect(isInUse(before(119), NOW)).toBe(true);
  expect(isInUse(before(121), NOW)).toBe(false);
});
