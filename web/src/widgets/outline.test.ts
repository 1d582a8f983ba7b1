import { describe, expect, test } from "vitest";
import { type Form, fullWidthHeights, measuredOutline, numbersPerLine, rowCountOf } from "./outline.ts";

describe("what a config tells of its answer", () => {
  test.each<[string, Parameters<typeof measuredOutline>[0], Form, number]>([
    ["one number", {}, "number", 1],
    ["a line", { overTime: true, breakdown: "plan" }, "line", 1],
    ["bars", { overTime: true, display: { chart: "bar" } }, "bars", 1],
    ["bars of an old config", { overTime: true, chart: "bar" }, "bars", 1],
    ["ten rows", { breakdown: "plan" }, "ranks", 10],
    ["five rows, and one for the others", { breakdown: "plan", limit: 5, rest: "other" }, "ranks", 6],
    ["five rows, one for the others, and one for nothing", { breakdown: "plan", limit: 5, rest: "both" }, "ranks", 7],
  ])("%s", (_, config, form, partCount) => {
    expect(measuredOutline(config)).toEqual({ form, partCount });
  });
});

test("a card is as high as its layout, but not lower than its form needs", () => {
  expect(rowCountOf({ form: "number", partCount: 1 }, 2)).toBe(2);
  expect(rowCountOf({ form: "heatmap", partCount: 1 }, 2)).toBe(4);
  expect(rowCountOf({ form: "heatmap", partCount: 1 }, 6)).toBe(6);
});

describe("the height of a card that takes the whole width", () => {
  test("is that of its rows", () => {
    expect(fullWidthHeights({ form: "line", partCount: 1 }, 4)).toEqual({ onPhone: 296, onTablet: 296 });
  });

  test("is that of its parts, where they need more, of which no more than ten are in sight", () => {
    expect(fullWidthHeights({ form: "ranks", partCount: 10 }, 4)).toEqual({ onPhone: 394, onTablet: 394 });
    expect(fullWidthHeights({ form: "ranks", partCount: 50 }, 4)).toEqual({ onPhone: 394, onTablet: 394 });
    expect(fullWidthHeights({ form: "ranks", partCount: 50 }, 12).onPhone).toBe(912);
  });

  test("has room for goals below the numbers", () => {
    expect(rowCountOf({ form: "numbers", partCount: 2, hasGoals: true }, 2)).toBe(3);
    expect(fullWidthHeights({ form: "numbers", partCount: 4, hasGoals: true }, 2)).toEqual({ onPhone: 302, onTablet: 219 });
  });

  test("is that of the lines of a strip of numbers", () => {
    expect(fullWidthHeights({ form: "numbers", partCount: 2 }, 2)).toEqual({ onPhone: 142, onTablet: 142 });
    expect(fullWidthHeights({ form: "numbers", partCount: 4 }, 2)).toEqual({ onPhone: 238, onTablet: 142 });
    expect(fullWidthHeights({ form: "numbers", partCount: 6 }, 2)).toEqual({ onPhone: 334, onTablet: 238 });
  });
});

test("so many numbers stand side by side that no line has one alone, if it can be helped", () => {
  expect([1, 2, 3, 4, 5, 6].map((count) => numbersPerLine(count).onTablet)).toEqual([1, 2, 3, 4, 3, 3]);
  expect([1, 2, 3].map((count) => numbersPerLine(count).onPhone)).toEqual([1, 2, 2]);
});
