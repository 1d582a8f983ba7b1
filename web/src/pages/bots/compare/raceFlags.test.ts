import { expect, test } from "vitest";
import { placeFlags } from "./raceFlags.ts";

const label = "Encore passes Quill, 22 Nov";
const at = (...places: number[]) => places.map((x) => ({ x, label }));
const rowsOf = (places: number[], width = 600) => placeFlags(at(...places), width).map(({ x, row }) => [x, row]);

test("words are before their line, after it where they would leave the plot", () => {
  expect(placeFlags(at(500), 600)).toEqual([{ x: 500, label, side: "before", row: 0 }]);
  expect(placeFlags(at(100), 600)).toEqual([{ x: 100, label, side: "after", row: 0 }]);
});

test("words that would meet are in two rows, the later ones above", () => {
  expect(rowsOf([300, 400])).toEqual([[300, 0], [400, 1]]);
  expect(rowsOf([250, 500])).toEqual([[250, 0], [500, 0]]);
});

test("no line crosses the words of another", () => {
  expect(rowsOf([100, 150])).toEqual([[150, 0]]);
});

test("of too many, the earliest are left out", () => {
  expect(rowsOf([560, 575, 590])).toEqual([[575, 0], [590, 1]]);
  expect(rowsOf([90], 120)).toEqual([]);
});
