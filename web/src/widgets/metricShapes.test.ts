import { describe, expect, test } from "vitest";
import { metricTable, spotLinesOf, ranksOf, spotOf, timeLineOf } from "./metricShapes.ts";

const DAYS = ["2026-11-21T23:00:00.000Z", "2026-11-22T23:00:00.000Z"];
const points = (...values: (number | null)[]) => values.map((value, index) => ({ t: DAYS[index] ?? "", value, ...(index === 1 ? { partial: true } : {}) }));
const timezone = "Europe/Berlin";
const over = { kind: "timeseries", interval: "day", points: points(3, 4), compared: points(1, null) } as const;
const many = {
  kind: "multiseries",
  interval: "day",
  series: [
    { label: "pro", points: points(1, 2) },
    { label: null, kind: "none" as const, points: points(0, null) },
  ],
} as const;
const mutable = <Answer>(answer: Answer) => structuredClone(answer) as { -readonly [Key in keyof Answer]: never };

describe("a time line", () => {
  test("has the moments, the values, and the totals of the answer", () => {
    const line = timeLineOf(mutable({ ...over, total: 4, comparedTotal: null }), "plays");
    expect(line.times).toEqual(DAYS.map(Date.parse));
    expect(line.partialBuckets).toEqual(new Set([1]));
    expect(line.series).toEqual([{ name: "plays", values: [3, 4], compared: [1, null], total: 4, comparedTotal: null, color: undefined }]);
  });

  test("has no total where the answer has none, whatever the points add up to", () => {
    const [pro, none] = many.series;
    const line = timeLineOf(mutable({ ...many, series: [{ ...pro, total: 0 }, none] }), "plays");
    expect(line.series.map(({ name, total }) => [name, total])).toEqual([
      ["pro", 0],
      ["(none)", null],
    ]);
    expect(timeLineOf(mutable(over), "plays").series[0]).toMatchObject({ total: null, comparedTotal: null });
  });
});

describe("spots", () => {
  test("of a point, and of a point of a series", () => {
    const point = spotLinesOf(mutable(over), timezone)[0]?.[1];
    expect([point?.spot, point?.inWords()]).toEqual([{ t: DAYS[1] }, "Mon 23 Nov 2026"]);
    const [first, second] = spotLinesOf(mutable(many), timezone);
    expect([first?.[0]?.spot, first?.[0]?.inWords()]).toEqual([{ t: DAYS[0], label: "pro" }, "pro, Sun 22 Nov 2026"]);
    expect(second?.[0]?.spot).toEqual({ t: DAYS[0], label: null, kind: "none" });
  });

  test("of a list, and of a number alone", () => {
    const rows = [{ label: "a", value: 3 }, { label: null, value: 1, kind: "other" as const }];
    expect(spotLinesOf({ kind: "categorical", rows }, timezone)[0]?.map(({ spot }) => spot)).toEqual([{ label: "a" }, { label: null, kind: "other" }]);
    const numbers = spotLinesOf({ kind: "counter", value: 3, previous: null, delta: null }, timezone).flat();
    expect(numbers.map(({ spot, inWords }) => [spot, inWords()])).toEqual([[{}, ""]]);
  });

  test("of what has no label", () => {
    expect([spotOf({ label: "x" }), spotOf({ label: null, kind: "other" })]).toEqual([{ label: "x" }, { label: null, kind: "other" }]);
  });
});

describe("a ranked list", () => {
  const rows = [
    { label: "a", value: 3 },
    { label: "b", value: 1 },
  ];
  const shares = (limit: number, addsUp: boolean, more: { label: null; value: number; kind: "other" }[] = []) =>
    ranksOf({ kind: "categorical", rows: [...rows, ...more] }, { name: "", addsUp, limit }, String).map(({ share }) => share);

  test("has shares if its rows are the whole", () => {
    expect(shares(3, true)).toEqual([0.75, 0.25]);
    expect(shares(2, true, [{ label: null, value: 4, kind: "other" }])).toEqual([0.375, 0.125, 0.5]);
  });

  test("has none if labels are left out, or if values do not add up", () => {
    expect(shares(2, true)).toEqual([null, null]);
    expect(shares(3, false)).toEqual([null, null]);
  });
});

describe("tables have the values in their last columns", () => {
  test("over time, with the other window before them", () => {
    const { columns, rows } = metricTable(mutable(over), "plays", timezone);
    expect(columns.map(({ label }) => label)).toEqual(["Day", "Previous", "plays"]);
    expect(rows).toEqual([
      ["Sun 22 Nov", 1, 3],
      ["Mon 23 Nov, so far", null, 4],
    ]);
  });

  test("of several series", () => {
    const { columns, rows } = metricTable(mutable(many), "plays", timezone);
    expect(columns.map(({ label }) => label)).toEqual(["Day", "pro", "(none)"]);
    expect(rows[1]).toEqual(["Mon 23 Nov, so far", 2, null]);
  });

  test("of a number", () => {
    expect(metricTable({ kind: "counter", value: 2, previous: 1, delta: 1 }, "plays", timezone).rows).toEqual([["plays", 1, 2]]);
    expect(metricTable({ kind: "counter", value: 2, previous: null, delta: null }, "plays", timezone).rows).toEqual([["plays", 2]]);
  });
});
