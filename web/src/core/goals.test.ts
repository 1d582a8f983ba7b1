import { expect, test } from "vitest";
import goals from "../../../fixtures/charts/goals.json";
import { goalProgressOf } from "./goals.ts";

test.each(goals)("$value, goal $goal, good $good", ({ value, goal, good, ...progress }) => {
  expect(goalProgressOf(value, goal, good as "up" | "down" | "none" | null)).toEqual(progress);
});
