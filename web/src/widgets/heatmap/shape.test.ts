import { expect, test } from "vitest";
import { maxCountOf, tableOf } from "./shape.ts";

const cells = Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (_unused, hour) => (day === 6 && hour === 23 ? 9 : 1)));

test("the greatest count, also of no cells", () => {
  expect([maxCountOf({ kind: "heatmap", cells }), maxCountOf({ kind: "heatmap", cells: [] })]).toEqual([9, 0]);
});

test("a day is a row", () => {
  const { columns, rows } = tableOf({ kind: "heatmap", cells });
  expect([columns.length, rows.length, rows[6]?.[0], rows[6]?.[24]]).toEqual([25, 7, "Sun", 9]);
});
