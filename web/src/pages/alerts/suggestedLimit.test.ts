import { expect, test } from "vitest";
import type { Condition } from "../../api/alerts.ts";
import { suggestLimit } from "./suggestedLimit.ts";

const points = (...values: (number | null)[]) => values.map((value, index) => ({ t: `2026-11-20T${10 + index}:00:00Z`, value }));

test.each<[Condition, (number | null)[], string | null]>([
  ["above", [9, 200], "300"],
  ["below", [9, 200], "100"],
  ["above", [1.25], "1.9"],
  ["below", [1.25], "0.63"],
  ["above", [3], "5"],
  ["below", [1], "1"],
  ["above", [-8], "-4"],
  ["below", [-8], "-12"],
  ["above", [0.42, null], "0.63"],
  ["above", [123_456], "190000"],
  ["above", [0], null],
  ["above", [null], null],
  ["above", [], null],
  ["rises", [], "100"],
  ["drops", [7], "50"],
  ["anomaly", [7], "3"],
  ["nodata", [7], null],
])("%s beside %j begins with %s", (condition, values, expected) => {
  expect(suggestLimit(condition, points(...values))).toBe(expected);
});

test("without an answer nothing is proposed", () => expect(suggestLimit("above")).toBe(null));
