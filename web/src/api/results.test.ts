import { expect, test } from "vitest";
import { resultOf } from "./results.ts";

const table = (value: string) => `{"kind":"table","columns":["prop:guild"],"rows":[{"id":"1","values":{"prop:guild":${value}}}]}`;

test("events keep every digit of their numbers", () => {
  expect(resultOf(table("205680187394752513"))).toHaveProperty(["rows", 0, "values", "prop:guild"], 205_680_187_394_752_513n);
  expect(resultOf(table("12.5"))).toHaveProperty(["rows", 0, "values", "prop:guild"], 12.5);
});

test("what is computed stays a number to compute with", () => {
  expect(resultOf('{"kind":"counter","value":205680187394752513,"previous":null,"delta":null}')).toMatchObject({ value: 205_680_187_394_752_500 });
});
