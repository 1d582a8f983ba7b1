import { expect, test } from "vitest";
import { rangeInWords, tableOf } from "./shape.ts";

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
  expect(tableOf(answer).rows).toEqual([
    [80, 195, 3],
    [195, 310, 1],
  ]);
});
