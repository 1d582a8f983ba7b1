import { expect, test } from "vitest";
import { barsOf, noteOf, spotInWords, stepNames, tableOf } from "./shape.ts";

const steps = [
  { event: "a", count: 4, rate: 1, stepRate: 1, waiting: 2, medianSecondsFromPrevious: null },
  { event: "b", count: 1, rate: 0.25, stepRate: 0.25, waiting: 0, medianSecondsFromPrevious: 60 },
];
const one = steps.map((step) => ({ ...step, count: 1, rate: 1, stepRate: 1 }));
const answer = { kind: "funnel" as const, count: "group" as const, steps, series: [{ label: "pro", steps: one }] };

const config = { steps: [{ event: "a" }, { event: "b" }] };

test("the bars are those of all, or of one label", () => {
  expect(barsOf(answer, config, null).map(({ count }) => count)).toEqual([4, 1]);
  expect(barsOf(answer, config, "pro").map(({ count }) => count)).toEqual([1, 1]);
  expect(barsOf(answer, config, "gone").map(({ count }) => count)).toEqual([4, 1]);
  expect(barsOf({ ...answer, series: [] }, config, null)[1]).toEqual({ label: "b", count: 1, rate: 0.25, waiting: 0, medianSeconds: 60 });
});

test("the bars of all are split by the labels, in their colors", () => {
  const display = { colors: { pro: 3 } };
  expect(barsOf(answer, { ...config, display }, null).map(({ parts }) => parts)).toEqual([[{ label: "pro", count: 1, color: 3 }], [{ label: "pro", count: 1, color: 3 }]]);
  expect(barsOf(answer, config, "pro")[0]?.parts).toBeUndefined();
});

test("the note says who is counted and for how long", () => {
  expect(noteOf({ steps: [] }, answer)).toBe("groups · 7-day window");
  expect(noteOf({ steps: [], windowHours: 2 }, { ...answer, count: "actor" })).toBe("actors · 2-hour window");
  const actors = { ...answer, count: "actor" as const };
  expect(noteOf({ steps: [], count: "group" }, actors)).toBe("actors (no group key) · 7-day window");
});

test("a step in words", () => {
  const words = [spotInWords(["a", "b"], 2, "reached"), spotInWords(["a", "b"], 1, "stopped"), spotInWords(["a", "b"], 1, "waiting")];
  expect(words).toEqual(["reached b", "stopped after a", "still have time after a"]);
});

test("each label of a breakdown has rows of its own", () => {
  expect(tableOf(answer, config).rows[3]).toEqual(["pro", "2. b", 60, 100, 0, 1]);
  expect(tableOf({ kind: "funnel", count: "actor", steps }, config).rows[0]).toEqual(["1. a", null, 100, 2, 4]);
});

test("steps with the same event are told apart by their filters", () => {
  const used = steps.map((step) => ({ ...step, event: "command.used" }));
  const filtered = ["play", "skip"].map((value) => ({ event: "command.used", filters: [{ key: "command", op: "eq" as const, value }] }));
  expect(stepNames({ ...answer, steps: used }, { steps: filtered })).toEqual(["command.used, command is play", "command.used, command is skip"]);
  expect(stepNames(answer, { steps: filtered })).toEqual(["a", "b"]);
});
