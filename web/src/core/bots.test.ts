import { expect, test } from "vitest";
import { frameInWords, hasHours, idListParameter, idsIn, botIdParameter, offsetParameter } from "./bots.ts";

const A = "583807014896140293";
const B = "646937666251915264";

test("ids stand between commas, each once, ten at most, and what is no id is left out", () => {
  expect(idsIn(`${A},${B},${A},12,<b>`)).toEqual([A, B]);
  expect(idsIn(undefined)).toEqual([]);
  const many = Array.from({ length: 12 }, (_, index) => String(10 ** 17 + index * 16));
  expect(idsIn(many.join(","))).toHaveLength(10);
});

test("a parameter without an id is none", () => {
  expect(idListParameter(`${A},x`)).toBe(A);
  expect(idListParameter("x")).toBeUndefined();
  expect(idListParameter([A])).toBeUndefined();
  expect([botIdParameter(A), botIdParameter(`${A};reboot`), botIdParameter(undefined)]).toEqual([A, undefined, undefined]);
});

test.each([["20", "20"], ["0", undefined], ["-1", undefined], ["1e3", undefined], [undefined, undefined]])("of %j rows, %j are skipped", (value, expected) => {
  expect(offsetParameter(value)).toBe(expected);
});

test("a history has hours up to thirty days", () => {
  expect([hasHours("12h"), hasHours("30d"), hasHours("90d"), hasHours("alltime")]).toEqual([true, true, false, false]);
  expect([frameInWords("1d"), frameInWords("90d"), frameInWords("alltime")]).toEqual(["24h", "90d", "All"]);
});
