import { expect, test } from "vitest";
import { lineOf, perDay } from "./lines.ts";

const HOUR = 3_600_000;
const histories = new Map([
  ["1", [{ time: 0, value: 5 }, { time: HOUR, value: 6 }]],
  ["2", [{ time: HOUR, value: 9 }]],
]);
const BOTS = [{ id: "1", name: "Teapot" }, { id: "2", name: "Umbrella" }];

test("bots share their moments, and a younger one has no value before it was known", () => {
  const line = lineOf(histories, BOTS);
  expect(line.times).toEqual([0, HOUR]);
  expect(line.series.map(({ name, values, total }) => [name, values, total])).toEqual([
    ["Teapot", [5, 6], 6],
    ["Umbrella", [null, 9], 9],
  ]);
});

test("a counter grows by so much on an average day", () => {
  const month = new Map([["1", [{ time: 0, value: 100 }, { time: 10 * 24 * HOUR, value: 160 }]]]);
  expect(perDay(month, "1")).toBe(6);
  expect(perDay(histories, "1")).toBeNull();
  expect(perDay(undefined, "1")).toBeNull();
});
