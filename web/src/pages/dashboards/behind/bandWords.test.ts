import { expect, test } from "vitest";
import { formatExact } from "../../../core/numbers.ts";
import { bandInWords, hasBand } from "./bandWords.ts";

const words = (value: number | null, low: number, high: number) => {
  const band = bandInWords(value, { low, high }, formatExact);
  return band && [band.place, band.verdict, band.range];
};

test("far above its band, a number has a factor", () => {
  expect(words(205, 13.6, 31.4)).toEqual(["above", "9.1\u2009× usual", "usual 14 to 31"]);
});

test("a little above or below, it has none", () => {
  expect(words(32, 14, 31)).toEqual(["above", "above usual", "usual 14 to 31"]);
  expect(words(2, 14, 31)).toEqual(["below", "below usual", "usual 14 to 31"]);
});

test("the edges belong to the band", () => {
  expect(words(14, 14, 31)?.[1]).toBe("as usual");
  expect(words(31, 14, 31)?.[1]).toBe("as usual");
});

test("a number that is not whole has edges that are not", () => {
  expect(words(0.25, 0.125, 0.5)?.[2]).toBe("usual 0.125 to 0.5");
});

test("a band around zero has no factor", () => {
  expect(words(5, -3, 3)?.[1]).toBe("above usual");
  expect(words(5, -9, 3)?.[1]).toBe("above usual");
});

test("a number that is not there is nowhere", () => {
  expect(words(null, 1, 2)).toBeNull();
});

test("only hours and days of a metric or a formula have a band", () => {
  expect([hasBand("metric", "hour"), hasBand("formula", "day")]).toEqual([true, true]);
  expect([hasBand("metric", "week"), hasBand("metric", undefined), hasBand("retention", "day")]).toEqual([false, false, false]);
});
