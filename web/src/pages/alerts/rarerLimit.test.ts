import { expect, test } from "vitest";
import { frequencyOf, rarerLimitOf } from "./rarerLimit.ts";

/** Peaks above 10, each a minute long. */
const pastOf = (...peaks: number[]) => ({
  from: "2026-11-01T00:00:00Z",
  minutes: { values: peaks.flatMap((peak) => [10, peak]), lengths: peaks.flatMap(() => [60, 1]) },
});
const MANY = pastOf(13, 13, 14, 13, 15, 14, 13, 13, 16, 15, 15);

test("how often a limit fires is said by the month, or by the week", () => {
  expect(frequencyOf(MANY, "above", 12)).toBe("about 11 times a month");
  expect(frequencyOf(MANY, "above", 14)).toBe("about once a week");
  expect(frequencyOf(MANY, "above", 15)).toBe("about once a month");
  expect(frequencyOf(MANY, "above", 16)).toBe("");
  expect(frequencyOf(MANY, "rises", 12)).toBe("");
});

test("the rarer limit is the nearest that fires about once a week", () => {
  expect(rarerLimitOf(MANY, "above", 12)).toEqual({ limit: 13, frequency: "about once a week" });
  expect(rarerLimitOf({ ...MANY, minutes: { ...MANY.minutes, values: MANY.minutes.values.map((value) => -value) } }, "below", -12)).toEqual({ limit: -13, frequency: "about once a week" });
});

test("where the next one never fires, the one before is offered if it fires much less", () => {
  const steep = pastOf(13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 14);
  expect(rarerLimitOf(steep, "above", 12)).toEqual({ limit: 13, frequency: "about 7 times a month" });
  expect(rarerLimitOf(pastOf(13, 14, 14, 14, 14, 14, 14, 14), "above", 12)).toBeNull();
});

test("there is none where the limit is rare already, or where nothing rarer fires", () => {
  expect(rarerLimitOf(MANY, "above", 14)).toBeNull();
  expect(rarerLimitOf(pastOf(13, 13, 13, 13, 13, 13, 13), "above", 12)).toBeNull();
  expect(rarerLimitOf(MANY, "rises", 12)).toBeNull();
});
