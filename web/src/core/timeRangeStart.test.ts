import { expect, test } from "vitest";
import type { RangeName } from "./timeRanges.ts";
import { reachesNow, timeRangeStartMs } from "./timeRangeStart.ts";

const NOW = Date.parse("2026-11-20T12:04:38Z");

test.each<[RangeName, string]>([
  ["1h", "2026-11-20T11:04:38.000Z"],
  ["7d", "2026-11-13T12:04:38.000Z"],
  ["today", "2026-11-19T23:00:00.000Z"],
  ["wtd", "2026-11-15T23:00:00.000Z"],
  ["mtd", "2026-10-31T23:00:00.000Z"],
  ["ytd", "2025-12-31T23:00:00.000Z"],
  ["12mo", "2025-11-30T23:00:00.000Z"],
  ["last_month", "2026-09-30T22:00:00.000Z"],
  ["all", "1970-01-01T00:00:00.000Z"],
])("%s begins", (timeRange, start) => {
  expect(new Date(timeRangeStartMs({ timeRange }, NOW, "Europe/Berlin")).toISOString()).toBe(start);
});

test("new events belong to time ranges that reach up to now", () => {
  expect(reachesNow({ timeRange: "wtd" }, NOW)).toBe(true);
  expect(reachesNow({ timeRange: "yesterday" }, NOW)).toBe(false);
  expect(reachesNow({ from: "2026-11-01T00:00:00Z", to: "2026-11-20T12:00:00Z" }, NOW)).toBe(false);
});
