import { expect, test } from "vitest";
import { readPoints, pointsToCsv } from "./points.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z") / 1_000;
const TWO = { series: [["line", [{ x: 1_763_000_000, y: 900 }, { x: 1_763_086_400, y: 1_200.5 }]]] };

test.each([
  ["seconds", "1763000000,900\n1763086400,1200.5"],
  ["milliseconds", "1763000000000;900\n1763086400000;1200.5\n"],
  ["a head", "time,value\n1763000000,900\n\n1763086400,1200.5"],
  ["pairs", "[[1763000000, 900], [1763086400, 1200.5]]"],
  ["points", '[{"x": 1763000000, "y": 900}, {"time": 1763086400, "value": 1200.5}]'],
])("points are read from CSV and JSON: %s", (_, text) => {
  expect(readPoints(text, "line")).toEqual(TWO);
});

test("series are named by the first column, by their id, or by their key", () => {
  const named = { series: [["b", [{ x: NOON, y: 1 }]], ["a", [{ x: NOON, y: -2 }]]] };
  expect(readPoints("b,2026-11-20T12:00:00Z,1\na,2026-11-20T12:00:00Z,-2", "line")).toEqual(named);
  expect(readPoints(`[{"id":"b","x":${NOON},"y":1},{"id":"a","x":${NOON},"y":-2}]`, "line")).toEqual(named);
  expect(readPoints(`{"b":[[${NOON},1]],"a":[["2026-11-20T12:00:00Z",-2]]}`, "line")).toEqual(named);
});

test.each([
  ["", "Enter some points"],
  ["[1, 2", "not valid JSON"],
  ["[]", "no points"],
  ["[[1, null]]", "Point 1 of line"],
  ['{"a": 1}', "“a” is not a list"],
  ["1763000000,900\nx,y", "Line 2"],
  ["1763000000,1e999\n1763000000,900", "Line 1"],
  ["a,b,c,d", "No line is a point"],
])("of %j, it says what is wrong", (text, words) => {
  expect(readPoints(text, "line")).toEqual({ problem: expect.stringContaining(words) as string });
});

test("what is written can be read again", () => {
  const points = [{ x: 1_763_000_000, y: 900 }, { x: 1_763_086_400, y: -0.5 }];
  expect(readPoints(pointsToCsv(points), "line")).toEqual({ series: [["line", points]] });
});
