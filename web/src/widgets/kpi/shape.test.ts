import { expect, test } from "vitest";
import { cellsOf } from "./shape.ts";

const item = { label: "Plays", value: 1_940_470, previous: 1_720_000, delta: 0.128 };

test("large numbers are short, with the full number beside them", () => {
  const [cell] = cellsOf({ kind: "kpi", items: [item] }, { items: [{ event: "a", measure: "count", good: "up" }] });
  expect(cell).toEqual({ label: "Plays", value: "1.94M", full: "1,940,470", previous: "1.72M", delta: 0.128, good: "up" });
});

test("what is good is said by the display where the item is silent", () => {
  const items = [item, { ...item, value: null, previous: null, delta: null }];
  const cells = cellsOf({ kind: "kpi", items }, { items: [{ event: "a", measure: "count" }], display: { good: "down", decimals: 1 } });
  expect(cells.map(({ value, previous, good }) => [value, previous, good])).toEqual([
    ["1,940,470.0", "1,720,000.0", "down"],
    ["–", null, "down"],
  ]);
});
