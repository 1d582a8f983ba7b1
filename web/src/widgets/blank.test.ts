import { expect, test } from "vitest";
import { isBlank } from "./blank.ts";
import type { Result } from "./definition.ts";

const answer = (fields: object) => fields as Result;

test.each([
  { kind: "categorical", rows: [] },
  { kind: "table", rows: [] },
  { kind: "multiseries", series: [] },
  { kind: "histogram", buckets: [] },
  { kind: "retention", cohorts: [{ size: 0 }, { size: 0 }] },
])("nothing can be drawn of $kind without rows", (fields) => {
  expect(isBlank(answer(fields))).toBe(true);
});

test.each([
  { kind: "counter", value: 0 },
  { kind: "timeseries", points: [{ value: 0 }] },
  { kind: "retention", cohorts: [{ size: 0 }, { size: 1 }] },
  { kind: "heatmap", cells: [[0]] },
  { kind: "table", rows: [], rowsWithheld: true },
  { kind: "note" },
])("$kind is drawn", (fields) => {
  expect(isBlank(answer(fields))).toBe(false);
});
