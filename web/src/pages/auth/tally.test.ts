import { expect, test } from "vitest";
import { tallyChart } from "./tally.ts";

const strokes = (path: string) => path.split("M").length - 1;

test("every count is one stroke, and the last column stands apart", () => {
  const { earlierPath, lastPath } = tallyChart([3, 6, 11]);
  expect(strokes(earlierPath)).toBe(9);
  expect(strokes(lastPath)).toBe(11);
});

test("the chart is as high as its highest column and stays inside", () => {
  const { lastPath, width, height } = tallyChart([11, 3]);
  expect(height).toBe(3 * 26);
  expect(width).toBe(72);
  for (const [, x, y] of lastPath.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)) {
    expect(Number(x)).toBeGreaterThanOrEqual(36);
    expect(Number(x)).toBeLessThanOrEqual(width);
    expect(Number(y)).toBeGreaterThanOrEqual(0);
    expect(Number(y)).toBeLessThanOrEqual(height);
  }
});

test("the fifth stroke crosses the four", () => {
  const slash = tallyChart([5]).lastPath.split("M").at(-1) ?? "";
  const [from = "", to = ""] = slash.split("L");
  expect(Number(from.split(" ")[0])).toBeLessThan(8);
  expect(Number(to.split(" ")[0])).toBeGreaterThan(26);
});

test("the same counts are drawn the same", () => {
  expect(tallyChart([7, 9])).toEqual(tallyChart([7, 9]));
});
