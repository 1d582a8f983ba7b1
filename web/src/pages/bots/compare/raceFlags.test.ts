import { expect, test } from "vitest";
import { placeFlags } from "./raceFlags.ts";

const label = "Encore passes Quill, 22 Nov";

test("words are before their line, after it where they would leave the plot", () => {
  expect(placeFlags([{ x: 500, label }], 600)).toEqual([{ x: 500, label, side: "before" }]);
  expect(placeFlags([{ x: 100, label }], 600)).toEqual([{ x: 100, label, side: "after" }]);
});

test("the latest has its words, and one without room beside it is left out", () => {
  const flags = [{ x: 200, label }, { x: 560, label }, { x: 590, label }];
  expect(placeFlags(flags, 600).map(({ x }) => x)).toEqual([590, 200]);
  expect(placeFlags([{ x: 90, label }], 120)).toEqual([]);
});
