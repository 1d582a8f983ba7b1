import { expect, test } from "vitest";
import { historiesOf } from "./botShapes.ts";

const POINTS = [
  { time: "2026-11-20T01:00:00.000Z", id: "1", server_count: 12 },
  { time: "2026-11-20T00:00:00.000Z", id: "1", server_count: 10 },
];
const READ = [
  { time: Date.parse("2026-11-20T00:00:00Z"), value: 10 },
  { time: Date.parse("2026-11-20T01:00:00Z"), value: 12 },
];

test("histories are read in both shapes, and the oldest point comes first", () => {
  const keyed = historiesOf({ data: { one: POINTS, two: [] } }, "server_count");
  const listed = historiesOf({ data: [{ id: "one", data: POINTS }, { id: "two", data: [] }] }, "server_count");
  expect(keyed).toEqual(new Map([["one", READ], ["two", []]]));
  expect(listed).toEqual(keyed);
});
