import { expect, test } from "vitest";
import { WINDOW_OFFER, windowInWords, windowOfText } from "./window.ts";

test.each([
  [1, "1 hour"],
  [36, "36 hours"],
  [24, "1 day"],
  [168, "7 days"],
  [720, "30 days"],
])("%i hours are written and read", (hours, text) => {
  expect(windowInWords(hours)).toBe(text);
  expect(windowOfText(text)).toBe(hours);
});

test("every window that the API accepts can be written", () => {
  for (let hours = 1; hours <= 720; hours += 1) expect(windowOfText(windowInWords(hours))).toBe(hours);
});

test.each([["36", 36], ["2d", 48], [" 5 H ", 5], ["0", null], ["721", null], ["31 days", null], ["a week", null], ["", null]])("%j is %j", (text, hours) => {
  expect(windowOfText(text)).toBe(hours);
});

test("other lengths count if a window can have them", () => {
  expect(WINDOW_OFFER.textJudge("36 hours")).toBe("taken");
  expect(WINDOW_OFFER.textJudge("40 days")).toHaveProperty("refusal");
});
