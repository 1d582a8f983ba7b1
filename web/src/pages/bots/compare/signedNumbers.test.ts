import { expect, test } from "vitest";
import rows from "../../../../../fixtures/charts/signed_numbers.json";
import { type Sign, formatSignedAs, signTick } from "./signedNumbers.ts";

test.each(rows)("$value is $text", ({ value, sign, text }) => {
  expect(formatSignedAs(sign as Sign, value)).toBe(text);
});

test("the label of an axis has a sign and a unit", () => {
  expect(["20", "\u221220", "0"].map((label) => signTick("percent", label))).toEqual(["+20\u2009%", "\u221220\u2009%", "0\u2009%"]);
  expect([signTick("difference", "1.5k"), signTick("none", "1.5k")]).toEqual(["+1.5k", "1.5k"]);
  expect(formatSignedAs("percent", null)).toBe("–");
});
