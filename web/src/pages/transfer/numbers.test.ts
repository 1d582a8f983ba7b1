import { expect, test } from "vitest";
import { commaNumberOrText, haveDecimalCommas } from "./numbers.ts";

test("a number with a decimal comma keeps its digits", () => {
  const written = {
    "623,60": "623.60",
    "1.234,50": "1234.50",
    "1 234,5": "1234.5",
    "-0,5": "-0.5",
    "+5,00": "5.00",
    "007": "7",
    "0": "0",
    "1.234.567": "1234567",
  };
  for (const [text, json] of Object.entries(written)) expect(commaNumberOrText(text), text).toBe(json);
  for (const text of ["1.5", "12.34,5", "1,234,5", ",5", "5,", "1.234.567.890.123.456", "5 €", "-", "1e3"]) {
    expect(commaNumberOrText(text), text).toBe(JSON.stringify(text));
  }
});

test("a column has decimal commas when all of its values may have one and one certainly has", () => {
  expect(haveDecimalCommas(["623,60", "12", "1.234"])).toBe(true);
  expect(haveDecimalCommas(["1.234,567"])).toBe(true);
  for (const texts of [[], ["12"], ["1,234"], ["623,60", "12.5"], ["623,60", "paid"]]) expect(haveDecimalCommas(texts)).toBe(false);
});
