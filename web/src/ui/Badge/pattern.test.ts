import { expect, test } from "vitest";
import { patternOf } from "./pattern.ts";

test("the same seed has the same pattern, neighbours have different ones", () => {
  expect(patternOf("bot 1")).toEqual(patternOf("bot 1"));
  expect(patternOf("bot 1")).not.toEqual(patternOf("bot 2"));
});

test("left and right mirror each other", () => {
  const cells = patternOf("encore");
  const filled = new Set(cells.map(([x, y]) => `${x} ${y}`));
  for (const [x, y] of cells) expect(filled).toContain(`${4 - x} ${y}`);
});
