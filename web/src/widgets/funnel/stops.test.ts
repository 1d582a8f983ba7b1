import { expect, test } from "vitest";
import type { Answers } from "../definition.ts";
import { largestStop, ratesTable, stopInWords } from "./stops.ts";

const step = (count: number, previousCount: number, waiting = 0) => ({
  event: "x", count, rate: 0, stepRate: previousCount === 0 ? 0 : count / previousCount, waiting, medianSecondsFromPrevious: null,
});
const stepsOf = (...counts: number[]) => counts.map((count, index) => step(count, counts[index - 1] ?? count));
const answer = (steps: Answers["funnel"]["steps"], series: NonNullable<Answers["funnel"]["series"]> = []): Answers["funnel"] => ({ kind: "funnel", count: "actor", steps, series });

const PLANS = [
  { label: "pro", steps: stepsOf(22, 20, 16, 9) },
  { label: "team", steps: stepsOf(19, 16, 11, 4) },
  { label: "free", steps: stepsOf(29, 20, 1, 0) },
];
const FUNNEL = answer(stepsOf(70, 56, 28, 13), PLANS);

test("the largest stop is where the most units stop, with those of each label", () => {
  expect(largestStop(FUNNEL)).toEqual({
    index: 1,
    count: 56,
    stoppedCount: 28,
    parts: [
      { label: "free", stoppedCount: 19, count: 20, rate: 0.05 },
      { label: "team", stoppedCount: 5, count: 16, rate: 11 / 16 },
      { label: "pro", stoppedCount: 4, count: 20, rate: 0.8 },
    ],
  });
});

test("who still has time has not stopped, and where nobody stops there is nothing to say", () => {
  expect(largestStop(answer([step(10, 10, 6), step(4, 10)]))).toBeNull();
  expect(largestStop(answer([step(10, 10, 5), step(4, 10)]))?.stoppedCount).toBe(1);
  expect(largestStop(answer(stepsOf(0, 0)))).toBeNull();
});

test("the stop in words compares the labels of enough units", () => {
  const stop = largestStop(FUNNEL);
  expect(stop && stopInWords(stop)).toBe("28 of 56 stopped, 19 of them on free. Of free, 5.0\u2009% go on; of pro, 80.0\u2009%.");
  const few = largestStop(answer(stepsOf(8, 3), [{ label: "pro", steps: stepsOf(4, 1) }, { label: "free", steps: stepsOf(4, 2) }]));
  expect(few && stopInWords(few)).toBe("5 of 8 stopped, 3 of them on pro.");
  const all = largestStop(answer(stepsOf(8, 3)));
  expect(all && stopInWords(all)).toBe("5 of 8 stopped.");
});

test("a rate of too few units is none", () => {
  expect(ratesTable(FUNNEL, ["a", "b", "c", "d"], "plan").rows[2]).toEqual(["free", "29", "69.0\u2009%", "5.0\u2009%", "too few"]);
});
