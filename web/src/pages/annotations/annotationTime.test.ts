import { expect, test } from "vitest";
import { whenInWords } from "./annotationTime.ts";

const NOW = Date.parse("2026-11-20T12:04:00Z");

test.each([
  ["a moment", "2026-11-04T13:00:00Z", null, "4 Nov, 14:00"],
  ["hours of a day", "2026-11-12T16:40:00Z", "2026-11-12T20:10:00Z", "12 Nov, 17:40 to 21:10"],
  ["over midnight", "2026-11-12T16:40:00Z", "2026-11-13T08:10:00Z", "12 Nov, 17:40 to 13 Nov, 09:10"],
  ["whole days", "2026-10-27T23:00:00Z", "2026-11-10T23:00:00Z", "28 Oct to 11 Nov"],
  ["days", "2026-11-18T08:00:00Z", "2026-11-25T09:00:00Z", "18 Nov to 25 Nov"],
  ["another year", "2025-12-31T22:00:00Z", "2026-01-01T11:00:00Z", "31 Dec 2025, 23:00 to 1 Jan, 12:00"],
])("%s", (_, time, timeEnd, words) => {
  expect(whenInWords({ time, timeEnd }, "Europe/Berlin", NOW)).toBe(words);
});
