import { describe, expect, test } from "vitest";
import {
  formatAgo,
  formatBriefly,
  bucketLabel,
  bucketName,
  formatClock,
  formatDate,
  dateMinute,
  dateTime,
  dayName,
  momentOf,
  shortDate,
  localTimeAt,
  weekHourName,
  weekdayDate,
  withLocalTimes,
} from "./time.ts";

const NOON = "2026-11-20T12:04:35Z";

test("a moment on the clocks of a zone", () => {
  expect(dateTime(NOON, "UTC")).toBe("20 Nov 2026, 12:04:35");
  expect(dateTime(NOON, "Europe/Berlin")).toBe("20 Nov 2026, 13:04:35");
  expect(dateTime(NOON, "Asia/Kathmandu")).toBe("20 Nov 2026, 17:49:35");
  expect(dateTime("2026-11-20T00:30:00.250+02:00", "UTC")).toBe("19 Nov 2026, 22:30:00");
});

test("parts of a moment", () => {
  expect(dateMinute(NOON, "UTC")).toBe("20 Nov 2026, 12:04");
  expect(formatDate("2026-11-20T23:30:00Z", "Europe/Berlin")).toBe("21 Nov 2026");
  expect(shortDate(NOON, "UTC")).toBe("20 Nov");
  expect(weekdayDate("2026-10-26T12:00:00Z", "UTC")).toBe("Mon 26 Oct 2026");
  expect(formatClock("2026-11-20T23:00:05Z", "Europe/Berlin")).toBe("00:00:05");
  expect([weekHourName(0, 0), weekHourName(6, 23)]).toEqual(["Mon 00:00", "Sun 23:00"]);
});

test.each([
  ["minute", "Fri 20 Nov 2026, 12:04", "20 Nov, 12:04"],
  ["hour", "Fri 20 Nov 2026, 12:04", "20 Nov, 12:04"],
  ["day", "Fri 20 Nov 2026", "Fri 20 Nov"],
  ["week", "Week of 20 Nov 2026", "20 Nov"],
  ["month", "Nov 2026", "Nov 2026"],
] as const)("a %s of a series", (interval, name, label) => {
  expect(bucketName(NOON, interval, "UTC")).toBe(name);
  expect(bucketLabel(NOON, interval, "UTC")).toBe(label);
});

test("hours are those of the zone, and one that a change cuts begins at the change", () => {
  expect(bucketName("2026-11-19T04:30:00.000Z", "hour", "Asia/Kolkata")).toBe("Thu 19 Nov 2026, 10:00");
  expect(bucketLabel("2026-11-19T04:30:00.000Z", "hour", "Asia/Kolkata")).toBe("19 Nov, 10:00");
  expect(bucketLabel("2026-10-03T15:30:00.000Z", "hour", "Australia/Lord_Howe")).toBe("4 Oct, 02:30");
});

test("days are those of the zone", () => {
  const now = Date.parse("2026-11-20T23:30:00Z");
  expect(dayName(NOON, "UTC", now)).toBe("Today");
  expect(dayName(NOON, "Europe/Berlin", now)).toBe("Yesterday");
  expect(dayName("2026-11-18T12:00:00Z", "UTC", now)).toBe("Wed 18 Nov 2026");
});

test.each([
  [0, "now"],
  [12, "12\u00a0s ago"],
  [119, "1\u00a0min ago"],
  [7_200, "2\u00a0h ago"],
  [86_400, "1\u00a0day ago"],
  [86_400 * 9, "9\u00a0days ago"],
  [-120, "in 2\u00a0min"],
])("%i seconds are %s", (seconds, words) => {
  expect(formatAgo(1_000_000_000_000 - seconds * 1_000, 1_000_000_000_000)).toBe(words);
});

describe("clocks that change", () => {
  const seconds = (text: string): number => Date.parse(text) / 1_000;

  test.each([
    ["Europe/Berlin", "2026-10-25T02:30:00Z", "2026-10-25T00:30:00Z"],
    ["America/New_York", "2026-11-01T01:30:00Z", "2026-11-01T05:30:00Z"],
    ["Pacific/Apia", "2011-12-31T00:00:00Z", "2011-12-30T10:00:00Z"],
    ["Australia/Lord_Howe", "2026-04-05T01:45:00Z", "2026-04-04T14:45:00Z"],
  ])("in %s, of a time shown twice the first moment is meant", (zone, shown, at) => {
    expect(momentOf(seconds(shown), zone)).toBe(seconds(at));
    expect(localTimeAt(seconds(at), zone)).toBe(seconds(shown));
  });

  test("a skipped time is shown by no moment", () => {
    const skipped = seconds("2026-03-29T02:30:00Z");
    expect(localTimeAt(momentOf(skipped, "Europe/Berlin"), "Europe/Berlin")).not.toBe(skipped);
  });

  test("fractions of a second stay", () => {
    expect(localTimeAt(0.25, "Europe/Berlin")).toBe(3_600.25);
  });
});

test("a moment of a list is as brief as it stays clear", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  expect(formatBriefly("2026-11-20T00:04:35Z", "UTC", now)).toBe("00:04:35");
  expect(formatBriefly("2026-11-19T22:42:51Z", "UTC", now)).toBe("19 Nov, 22:42");
  expect(formatBriefly("2026-11-19T23:42:51Z", "Europe/Berlin", now)).toBe("00:42:51");
  expect(formatBriefly("2025-11-20T12:00:00Z", "UTC", now)).toBe("20 Nov 2025, 12:00");
});

test("the moments within a sentence are written on the clocks of the zone", () => {
  const sentence = 'The newest event "2026" is from 2026-11-19T23:42:51.000Z, before this span.';
  expect(withLocalTimes(sentence, "Europe/Berlin")).toBe(`The newest event "2026" is from ${dateMinute("2026-11-19T23:42:51Z", "Europe/Berlin")}, before this span.`);
  expect(withLocalTimes("Nothing yet.", "UTC")).toBe("Nothing yet.");
});
