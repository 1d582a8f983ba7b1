import { expect, test } from "vitest";
import { bundlesOf, nextDrawn } from "./tally.ts";

const strokes = (count: number) => bundlesOf(count).map((bundle) => bundle.strokes);

test("the fifth stroke completes a bundle, the sixth begins another one", () => {
  expect([0, 1, 4, 5, 6, 11, 15].map(strokes)).toEqual([[], [1], [4], [5], [5, 1], [5, 5, 1], [5, 5, 5]]);
});

test("of many, only the bundle that is being drawn is left", () => {
  expect([16, 20, 10_003].map(strokes)).toEqual([[1], [5], [3]]);
  expect(bundlesOf(10_003)).toEqual([{ place: 2_000, strokes: 3 }]);
});

test("a few strokes are drawn one by one, a crowd at once", () => {
  expect([nextDrawn(0, 3), nextDrawn(2, 3), nextDrawn(3, 3)]).toEqual([1, 3, 3]);
  expect([nextDrawn(0, 10_000), nextDrawn(9_995, 10_000)]).toEqual([10_000, 9_996]);
  expect(nextDrawn(7, 0)).toBe(0);
});
