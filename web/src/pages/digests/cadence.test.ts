import { expect, test } from "vitest";
import { cadenceInWords, dayInWords, nextSendInWords } from "./cadence.ts";

const NOW = Date.parse("2026-11-20T12:04:00Z");
const rhythm = { cadence: "daily", sendHour: 8, weekday: null, dayOfMonth: null, timezone: "UTC" };

test.each([
  [{}, "Every day at 08:00, UTC"],
  [{ cadence: "weekly", weekday: 1, sendHour: 9, timezone: "Europe/Berlin" }, "Every Monday at 09:00, Europe/Berlin"],
  [{ cadence: "weekly", weekday: 0 }, "Every Sunday at 08:00, UTC"],
  [{ cadence: "monthly", dayOfMonth: 1, sendHour: 10 }, "On the 1st of each month at 10:00, UTC"],
  [{ cadence: "monthly", dayOfMonth: 31 }, "On the last day of each month at 08:00, UTC"],
])("%j reads as a sentence", (changed, words) => {
  expect(cadenceInWords({ ...rhythm, ...changed })).toBe(words);
});

test("days of the month are ordinal", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 30].map(dayInWords).join(" ")).toBe("1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 30th");
});

test.each([
  [null, "paused"],
  ["2026-11-20T12:04:30Z", "next in a moment"],
  ["2026-11-20T12:50:00Z", "next in 46\u00a0min"],
  ["2026-11-21T08:00:00Z", "next in 19\u00a0h 56\u00a0min"],
  ["2026-11-23T08:04:00Z", "next in 2\u00a0d 20\u00a0h"],
  ["2026-12-01T09:00:00Z", "next on 1 Dec"],
  ["2027-01-01T09:00:00Z", "next on 1 Jan 2027"],
])("what is due at %s is %s", (at, words) => {
  expect(nextSendInWords(at, "UTC", NOW)).toBe(words);
});
