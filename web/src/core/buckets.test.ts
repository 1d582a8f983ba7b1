import { expect, test } from "vitest";
import { bucketEnd } from "./buckets.ts";
import type { Interval } from "./time.ts";

test.each<[string, Interval, string, string]>([
  ["2026-11-20T10:04:00Z", "minute", "UTC", "2026-11-20T10:05:00.000Z"],
  ["2026-11-20T09:30:00Z", "hour", "Asia/Kolkata", "2026-11-20T10:30:00.000Z"],
  ["2026-10-25T00:00:00Z", "hour", "Europe/Berlin", "2026-10-25T01:00:00.000Z"],
  ["2026-10-25T01:00:00Z", "hour", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
  ["2026-03-29T00:00:00Z", "hour", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
  ["2026-04-04T14:00:00Z", "hour", "Australia/Lord_Howe", "2026-04-04T15:30:00.000Z"],
  ["2026-10-03T14:30:00Z", "hour", "Australia/Lord_Howe", "2026-10-03T15:30:00.000Z"],
  ["2026-10-03T15:30:00Z", "hour", "Australia/Lord_Howe", "2026-10-03T16:00:00.000Z"],
  ["2026-10-24T22:00:00Z", "day", "Europe/Berlin", "2026-10-25T23:00:00.000Z"],
  ["2026-03-28T23:00:00Z", "day", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
  ["2026-04-23T22:00:00Z", "day", "Africa/Cairo", "2026-04-24T21:00:00.000Z"],
  ["2026-10-18T22:00:00Z", "week", "Europe/Berlin", "2026-10-25T23:00:00.000Z"],
  ["2026-01-31T23:00:00Z", "month", "Europe/Berlin", "2026-02-28T23:00:00.000Z"],
  ["2026-12-01T00:00:00Z", "month", "UTC", "2027-01-01T00:00:00.000Z"],
])("the bucket from %s by %s in %s ends at %s", (start, interval, zone, end) => {
  expect(new Date(bucketEnd(Date.parse(start), interval, zone)).toISOString()).toBe(end);
});
