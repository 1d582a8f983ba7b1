import { expect, test } from "vitest";
import { cellsPerRow, cellsOf, tableOf } from "./shape.ts";

const item = { label: "Plays", value: 1_940_470, previous: 1_720_000, delta: 0.128 };

test("large numbers are short, with the full number beside them", () => {
  const [cell] = cellsOf({ kind: "kpi", items: [item] }, { items: [{ event: "a", measure: "count", good: "up" }] });
  expect(cell).toEqual({
    label: "Plays",
    value: "1.94M",
    fullValue: "1,940,470",
    previous: "1.72M",
    change: { direction: "up", kind: "share", text: "12.8\u2009%" },
    good: "up",
    goal: null,
    sparkline: null,
  });
});

test("a course sets buckets apart that are cut or not over", () => {
  const points = [3, 1, null, 9, 2].map((value, index) => ({ t: `2026-11-0${index + 1}T00:00:00.000Z`, value, ...(index === 0 || index === 4 ? { partial: true } : {}) }));
  const [cell] = cellsOf({ kind: "kpi", items: [{ ...item, points }] }, { items: [{ event: "a", measure: "count" }] });
  expect(cell?.sparkline).toEqual({ values: [3, 1, null, 9, 2], partialBuckets: new Set([0, 4]) });
});

test("each number has its own goal, and needs room for it", () => {
  const items = [{ event: "a", measure: "count" as const, goal: 2_000_000 }, { event: "a", measure: "count" as const }];
  const cells = cellsOf({ kind: "kpi", items: [item, item] }, { items });
  expect(cells.map(({ goal }) => goal?.text)).toEqual(["1,940,470 of 2,000,000", undefined]);
  expect([cellsPerRow(6, 5, false), cellsPerRow(6, 5, true)]).toEqual([2, 3]);
});

test("what is good is said by the display where the item is silent", () => {
  const items = [item, { ...item, value: null, previous: null, delta: null }];
  const cells = cellsOf({ kind: "kpi", items }, { items: [{ event: "a", measure: "count" }], display: { good: "down", decimals: 1 } });
  expect(cells.map(({ value, previous, good }) => [value, previous, good])).toEqual([
    ["1,940,470.0", "1,720,000.0", "down"],
    ["–", null, "down"],
  ]);
});

test("the greatest id is an id", () => {
  const largest = { event: "a", measure: "max", property: "order_id" } as const;
  const { isIdCell } = tableOf({ kind: "kpi", items: [item, item] }, { items: [{ event: "a", measure: "count" }, largest] });
  expect([isIdCell?.(0, 2), isIdCell?.(1, 2)]).toEqual([false, true]);
});

test("a low card has all numbers side by side, a higher one has rows of them", () => {
  expect([cellsPerRow(6, 2, false), cellsPerRow(6, 4, false), cellsPerRow(6, 6, false), cellsPerRow(1, 2, false), cellsPerRow(6, 1, false)]).toEqual([6, 3, 2, 1, 6]);
});

test("no number stands alone in a row where one more beside the others makes the rows even", () => {
  expect([cellsPerRow(3, 4, false), cellsPerRow(4, 4, false), cellsPerRow(5, 4, false)]).toEqual([3, 2, 3]);
});
