import { expect, test } from "vitest";
import { EXAMPLE_PICTURE, withoutExample } from "./example.ts";
import { addressOf, refusalOf } from "./picture.ts";

test("the server draws the example", () => {
  expect(refusalOf(EXAMPLE_PICTURE, addressOf(EXAMPLE_PICTURE))).toBeNull();
});

test("the example makes room for others, unless it was changed", () => {
  const { series } = EXAMPLE_PICTURE;
  const renamed = series.map((entry) => ({ ...entry, name: "Teapot" }));
  expect(withoutExample(series)).toEqual([]);
  expect(withoutExample(renamed)).toEqual(renamed);
});
