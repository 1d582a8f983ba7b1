import { describe, expect, test } from "vitest";
import numbers from "../../../fixtures/charts/numbers.json";
import shares from "../../../fixtures/charts/shares.json";
import { countInWords, formatExact, ordinal, formatPercent, formatShort, formatAmong, formatWholePercent, formatAlone } from "./numbers.ts";

describe("the rules that the server's pictures obey", () => {
  test.each(numbers)("$value is written $text", ({ value, among, text }) => {
    const [lowest, highest] = among ?? [];
    expect(lowest === undefined || highest === undefined ? formatShort(value) : formatAmong(value, lowest, highest)).toBe(text);
  });

  test.each(shares)("a share of $share", ({ share, text, whole }) => {
    expect(formatPercent(share)).toBe(text);
    if (whole !== undefined) expect(formatWholePercent(share)).toBe(whole);
  });
});

test.each([
  [null, "–"],
  [0, "0"],
  [-0, "0"],
  [12_345, "12,345"],
  [123_456_789, "123,456,789"],
  [-1_234, "−1,234"],
  [-205_680_187_394_752_513n, "−205,680,187,394,752,513"],
  [12.345_6, "12.35"],
  [0.123_456, "0.123"],
  [1e-9, "1e−9"],
  [1e300, "1e300"],
])("%s is written out as %s", (value, text) => {
  expect(formatExact(value)).toBe(text);
});

test("as many decimals as asked for, and no other", () => {
  expect([formatExact(1_234, 1), formatExact(0.005, 2), formatExact(2.5, 0)]).toEqual(["1,234.0", "0.01", "2"]);
});

test("a value that stands alone is written out below ten million", () => {
  expect([formatAlone(9_999_999), formatAlone(10_000_000), formatAlone(12_345.6), formatAlone(null)]).toEqual([
    "9,999,999",
    "10M",
    "12.3k",
    "–",
  ]);
});

test("one has no plural", () => {
  expect([countInWords(0, "event"), countInWords(1, "event"), countInWords(1_234, "entry", "entries")]).toEqual([
    "0 events",
    "1 event",
    "1,234 entries",
  ]);
});

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [12, "12th"],
  [13, "13th"],
  [20, "20th"],
  [21, "21st"],
  [112, "112th"],
])("%i is the %s in an order", (place, text) => {
  expect(ordinal(place)).toBe(text);
});
