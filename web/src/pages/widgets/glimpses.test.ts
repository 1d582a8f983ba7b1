import { expect, test } from "vitest";
import type { Result } from "../../widgets/definition.ts";
import { bucketSums, lineGlimpses, numberGlimpse, rankGlimpses } from "./glimpses.ts";

const points = (...values: (number | null)[]) => values.map((value) => ({ t: "2026-11-01T00:00:00Z", value }));
const timeseries = { kind: "timeseries", interval: "day", points: points(1, null, 3), total: 4 } as unknown as Result;
const multiseries = { kind: "multiseries", interval: "day", series: [{ label: "a", points: points(1, 2), total: 3 }, { label: "b", points: points(4, null), total: 4 }] } as unknown as Result;
const categorical = { kind: "categorical", rows: [{ label: "a", value: 2 }, { label: "b", value: 5 }, { label: "c", value: null }] } as unknown as Result;
const kpi = { kind: "kpi", items: [{ label: "a", value: 7, points: points(3, 4) }] } as unknown as Result;

test("lines are there for what is asked over time", () => {
  expect(lineGlimpses(timeseries)).toEqual([[1, null, 3]]);
  expect(lineGlimpses(multiseries)).toEqual([[1, 2], [4, null]]);
  expect(lineGlimpses(kpi)).toEqual([[3, 4]]);
  expect(lineGlimpses(categorical)).toBeNull();
  expect(lineGlimpses(undefined)).toBeNull();
});

test("parts of buckets are left out, unless there is nothing else", () => {
  const [cut, whole] = [{ t: "2026-11-01T00:00:00Z", value: 1, partial: true }, { t: "2026-11-02T00:00:00Z", value: 9 }];
  const answerOf = (...cells: object[]) => ({ kind: "timeseries", interval: "day", points: cells, total: 4 }) as unknown as Result;
  expect(lineGlimpses(answerOf(cut, whole, cut))).toEqual([[9]]);
  expect(lineGlimpses(answerOf(cut))).toEqual([[1]]);
});

test("ranks are there for what has labels, the largest first", () => {
  expect(rankGlimpses(categorical)).toEqual([5, 2]);
  expect(rankGlimpses(multiseries)).toEqual([4, 3]);
  expect(rankGlimpses(timeseries)).toBeNull();
});

test("a number is there where the answer has exactly one", () => {
  expect(numberGlimpse(timeseries)).toBe(4);
  expect(numberGlimpse(kpi)).toBe(7);
  expect(numberGlimpse({ kind: "counter", value: 9 } as Result)).toBe(9);
  expect(numberGlimpse(multiseries)).toBeNull();
});

test("bars add the series up", () => {
  expect(bucketSums([[1, 2], [4, null]])).toEqual([5, 2]);
});
