import { expect, test } from "vitest";
import { barsOf, noteOf, spotInWords, tableOf } from "./shape.ts";

const steps = [
  { event: "a", count: 4, rate: 1, stepRate: 1, medianSecondsFromPrevious: null },
  { event: "b", count: 1, rate: 0.25, stepRate: 0.25, medianSecondsFromPrevious: 60 },
];
const one = steps.map((step) => ({ ...step, count: 1, rate: 1, stepRate: 1 }));
const answer = { kind: "funnel" as const, count: "group" as const, steps, series: [{ label: "pro", steps: one }] };

test("the bars are those of all, or of one label", () => {
  expect(barsOf(answer, null).map(({ count }) => count)).toEqual([4, 1]);
  expect(barsOf(answer, "pro").map(({ count }) => count)).toEqual([1, 1]);
  expect(barsOf(answer, "gone").map(({ count }) => count)).toEqual([4, 1]);
  expect(barsOf(answer, null)[1]).toEqual({ label: "b", count: 1, rate: 0.25, stepRate: 0.25, medianSeconds: 60 });
});

test("the note says who is counted and for how long", () => {
  expect(noteOf({ steps: [] }, answer)).toBe("groups · 7-day window");
  expect(noteOf({ steps: [], windowHours: 2 }, { ...answer, count: "actor" })).toBe("actors · 2-hour window");
  const actors = { ...answer, count: "actor" as const };
  expect(noteOf({ steps: [], count: "group" }, actors)).toBe("actors, as there is no group key · 7-day window");
});

test("a step in words", () => {
  expect([spotInWords(answer, 2, "reached"), spotInWords(answer, 1, "dropped")]).toEqual(["reached b", "stopped after a"]);
});

test("each label of a breakdown has rows of its own", () => {
  expect(tableOf(answer).rows[3]).toEqual(["pro", "2. b", 60, 100, 1]);
  expect(tableOf({ kind: "funnel", count: "actor", steps }).rows[1]).toEqual(["2. b", 60, 25, 1]);
});
