import { expect, test } from "vitest";
import { partSharesOf, stoppedCountOf } from "./funnelSteps.ts";

test("who still has time has not stopped", () => {
  expect(stoppedCountOf({ count: 10, waiting: 3 }, { count: 4, waiting: 0 })).toBe(3);
  expect(stoppedCountOf({ count: 4, waiting: 1 }, { count: 4, waiting: 0 })).toBe(0);
});

test("labels take their shares of a step, and what has none of them is left over", () => {
  expect(partSharesOf(10, [{ label: "pro", count: 5 }, { label: "free", count: 2 }])).toEqual([0.5, 0.2]);
});

test("labels of units that have several share the step", () => {
  expect(partSharesOf(4, [{ label: "pro", count: 4 }, { label: "free", count: 4 }])).toEqual([0.5, 0.5]);
  expect(partSharesOf(0, [{ label: "pro", count: 0 }])).toEqual([0]);
});
