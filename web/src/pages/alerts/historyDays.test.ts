import { expect, test } from "vitest";
import { dayInWords, historyDaysOf, historyInWords, totalInWords } from "./historyDays.ts";

const SPAN = { from: "2026-11-15", to: "2026-11-20" };
const KNOWN = { knownFrom: "2026-11-15", knownUntil: "2026-11-20" };
const daysOf = (fields: Partial<Parameters<typeof historyDaysOf>[1]> = {}) => historyDaysOf(SPAN, { ...KNOWN, firingDays: [], ...fields });

test("days from the first to the last, each with what happened", () => {
  const days = daysOf({ knownFrom: "2026-11-17", knownUntil: "2026-11-19", firingDays: [{ day: "2026-11-18", fired: 2 }, { day: "2026-11-19", fired: 0 }] });
  expect(days.map(({ state }) => state)).toEqual(["before", "before", "quiet", "firing", "firing", "unknown"]);
  expect(days.map(dayInWords)).toEqual([
    "15 Nov: not created yet",
    "16 Nov: not created yet",
    "17 Nov: quiet",
    "18 Nov: fired twice",
    "19 Nov: still firing",
    "20 Nov: not evaluated",
  ]);
  expect(historyInWords(days)).toBe("Last 6 days: fired twice, 2 on 18 Nov. Created on 17 Nov. Not evaluated since 20 Nov.");
});

test("a month over the end of summer time has all its days", () => {
  const days = historyDaysOf({ from: "2026-10-20", to: "2026-11-18" }, { ...KNOWN, knownFrom: "2026-10-20", firingDays: [] });
  expect(days).toHaveLength(30);
  expect(new Set(days.map(({ day }) => day)).size).toBe(30);
});

test.each([
  [daysOf(), "did not fire"],
  [daysOf({ firingDays: [{ day: "2026-11-15", fired: 0 }] }), "still firing"],
  [daysOf({ firingDays: [{ day: "2026-11-15", fired: 1 }] }), "fired once"],
  [daysOf({ firingDays: [{ day: "2026-11-15", fired: 1 }, { day: "2026-11-18", fired: 4 }] }), "fired 5 times"],
  [daysOf({ knownFrom: "2026-11-20", knownUntil: null }), "not evaluated yet"],
])("a total in words %#", (days, words) => {
  expect(totalInWords(days)).toBe(words);
  expect(historyInWords(days)).toContain(words);
});
