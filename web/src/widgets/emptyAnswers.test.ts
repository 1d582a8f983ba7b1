import { expect, test } from "vitest";
import { blankReason, isBlank, isAllZero, isUnseen } from "./emptyAnswers.ts";
import type { Result } from "./definition.ts";

const answer = (fields: object) => fields as Result;

test.each([
  { kind: "categorical", rows: [] },
  { kind: "table", rows: [] },
  { kind: "multiseries", series: [] },
  { kind: "timeseries", points: [{ value: null }, { value: null }] },
  { kind: "multiseries", series: [{ points: [{ value: null }] }] },
  { kind: "histogram", buckets: [] },
  { kind: "retention", cohorts: [{ size: 0 }, { size: 0 }] },
])("nothing can be drawn of $kind without rows or values", (fields) => {
  expect(isBlank(answer(fields))).toBe(true);
});

test.each([
  { kind: "counter", value: 0 },
  { kind: "timeseries", points: [{ value: null }, { value: 0 }] },
  { kind: "multiseries", series: [{ points: [{ value: null }] }, { points: [{ value: 0 }] }] },
  { kind: "retention", cohorts: [{ size: 0 }, { size: 1 }] },
  { kind: "heatmap", cells: [[0]] },
  { kind: "table", rows: [], rowsWithheld: true },
  { kind: "note" },
])("$kind is drawn", (fields) => {
  expect(isBlank(answer(fields))).toBe(false);
});

test.each([
  { kind: "counter", value: 0 },
  { kind: "counter", value: null },
  { kind: "kpi", items: [{ value: 0 }, { value: null }] },
  { kind: "timeseries", points: [{ value: 0 }] },
  { kind: "categorical", rows: [] },
  { kind: "multiseries", series: [{ points: [{ value: 0 }] }] },
  { kind: "funnel", steps: [{ count: 0 }] },
  { kind: "heatmap", cells: [[0], [null]] },
  { kind: "table", rows: [] },
  { kind: "histogram", buckets: [] },
  { kind: "retention", cohorts: [{ size: 0 }] },
])("nothing happened in $kind of zeros", (fields) => {
  expect(isAllZero(answer(fields))).toBe(true);
});

test.each([
  { kind: "counter", value: -1 },
  { kind: "kpi", items: [{ value: 0 }, { value: 1 }] },
  { kind: "timeseries", points: [{ value: 0 }, { value: 2 }] },
  { kind: "categorical", rows: [{ value: 1 }] },
  { kind: "multiseries", series: [{ points: [{ value: 0 }, { value: 1 }] }] },
  { kind: "funnel", steps: [{ count: 1 }, { count: 0 }] },
  { kind: "heatmap", cells: [[0], [1]] },
  { kind: "table", rows: [{}] },
  { kind: "histogram", buckets: [{}] },
  { kind: "retention", cohorts: [{ size: 1 }] },
])("something happened in $kind with a number", (fields) => {
  expect(isAllZero(answer(fields))).toBe(false);
});

test("a blank answer says whether no events match or none has a value", () => {
  const reasons = [{ kind: "categorical", rows: [] }, { kind: "timeseries", points: [{ value: null }] }].map((fields) => blankReason(answer(fields)));
  expect(reasons).toEqual(["No events match this widget.", "No event has a value to measure."]);
});

test.each(["note", "external"])("events do not decide a card of the kind %s", (kind) => {
  expect(isAllZero(answer({ kind }))).toBeNull();
});

const UNSEEN = [{ code: "unknown_event", message: "" }];

test.each([
  [{ kind: "timeseries", points: [{ value: 0 }, { value: null }] }, true],
  [{ kind: "timeseries", points: [{ value: 0 }, { value: 1 }] }, false],
  [{ kind: "funnel", steps: [{ count: 0 }, { count: 0 }] }, true],
  [{ kind: "funnel", steps: [{ count: 3 }, { count: 0 }] }, false],
  [{ kind: "heatmap", cells: [[0, 0]] }, true],
  [{ kind: "multiseries", series: [{ points: [{ value: 0 }] }] }, true],
  [{ kind: "table", rows: [] }, true],
  [{ kind: "counter", value: 0 }, false],
])("%j of an event that never came: %s", (fields, expected) => {
  expect(isUnseen(answer({ ...fields, notices: UNSEEN }))).toBe(expected);
  expect(isUnseen(answer(fields))).toBe(false);
});
