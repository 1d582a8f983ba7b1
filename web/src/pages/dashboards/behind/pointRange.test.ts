import { expect, test } from "vitest";
import { pointRangeOf } from "./pointRange.ts";

const ANSWERED_MS = Date.parse("2026-11-28T09:44:00Z");
const LAST_DAY = { timeRange: "24h" as const };

const hourFrom = (start: string) => ({ startMs: Date.parse(start), interval: "hour" as const });

test("a number without a time has the time range of its answer", () => {
  expect(pointRangeOf(undefined, LAST_DAY, "UTC", ANSWERED_MS)).toBe(LAST_DAY);
});

test("a bucket is as long as it is", () => {
  const range = pointRangeOf(hourFrom("2026-11-28T09:00:00Z"), LAST_DAY, "UTC", ANSWERED_MS);
  expect(range).toEqual({ from: "2026-11-28T09:00:00.000Z", to: "2026-11-28T10:00:00.000Z" });
});

test("of the first bucket, only the part that the answer has counts", () => {
  const range = pointRangeOf(hourFrom("2026-11-27T09:00:00Z"), LAST_DAY, "UTC", ANSWERED_MS);
  expect(range).toEqual({ from: "2026-11-27T09:44:00.000Z", to: "2026-11-27T10:00:00.000Z" });
});

test("a chosen time range cuts both ends of a day", () => {
  const timeRange = { from: "2026-11-20T06:00:00Z", to: "2026-11-20T18:00:00Z" };
  const bucket = { startMs: Date.parse("2026-11-19T23:00:00Z"), interval: "day" as const };
  expect(pointRangeOf(bucket, timeRange, "Europe/Berlin", ANSWERED_MS)).toEqual({ from: "2026-11-20T06:00:00.000Z", to: "2026-11-20T18:00:00.000Z" });
});
