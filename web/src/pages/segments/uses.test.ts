import { expect, test } from "vitest";
import { usesInWords } from "./uses.ts";

test.each([
  [0, 0, "not used"],
  [1, 0, "1 widget"],
  [0, 2, "2 alerts"],
  [12, 1, "12 widgets, 1 alert"],
])("%d widgets and %d alerts are %o", (widgetCount, alertCount, words) => {
  expect(usesInWords({ widgetCount, alertCount })).toBe(words);
});
