import { expect, test } from "vitest";
import { labelsWidthOf } from "./labelsWidth.ts";

test("labels have the room of the longest, up to a limit", () => {
  const short = { name: "Encore", value: "12,000" };
  expect(labelsWidthOf([short, { name: "Quill", value: "9" }])).toBe(labelsWidthOf([short]));
  expect(labelsWidthOf([short])).toBe(115);
  expect(labelsWidthOf([short, { name: "A bot with a very long name", value: "12,000" }])).toBe(164);
});
