import { expect, test } from "vitest";
import { rangeInWords, rulesOf, tableOf } from "./shape.ts";

const answer = {
  kind: "histogram" as const,
  buckets: [
    { from: 80, to: 195, count: 3 },
    { from: 195, to: 310, count: 1 },
  ],
};

test("a range in words", () => {
  expect([rangeInWords(answer, 0), rangeInWords(answer, 1), rangeInWords(answer, 2)]).toEqual(["80 to 195", "195 to 310", ""]);
  expect(rangeInWords({ kind: "histogram", buckets: [{ from: 7, to: 7, count: 1 }] }, 0)).toBe("7");
});

test("the ranges as a table", () => {
  const table = tableOf(answer, "ms");
  expect(table.rows).toEqual([
    [80, 195, 3],
    [195, 310, 1],
  ]);
  expect(table.isIdCell).toBeUndefined();
  expect([0, 1, 2].map((at) => tableOf(answer, "order_id").isIdCell?.(0, at))).toEqual([true, true, false]);
});

test("percentiles are marks, in the unit of the chart", () => {
  const answer = { kind: "histogram" as const, buckets: [], percentiles: { median: 310, p95: 1_842 } };
  expect(rulesOf(answer, "ms")).toEqual([
    { value: 310, label: "median 310\u2009ms" },
    { value: 1_842, label: "p95 1,842\u2009ms" },
  ]);
  expect(rulesOf({ kind: "histogram", buckets: [] }, "ms")).toEqual([]);
  expect(rulesOf({ ...answer, percentiles: { median: null, p95: null } }, null)).toEqual([]);
});
