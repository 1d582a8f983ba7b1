import { expect, test } from "vitest";
import { bucketsRange } from "./bucketsRange.ts";

const ANSWERED_MS = Date.parse("2026-11-28T09:44:00Z");
const LAST_DAY = { timeRange: "24h" as const };

const hours = (first: string, last = first) => ({ firstMs: Date.parse(first), lastMs: Date.parse(last), interval: "hour" as const });

test("buckets are as long as they are", () => {
  const range = bucketsRange(hours("2026-11-28T07:00:00Z", "2026-11-28T09:00:00Z"), LAST_DAY, "UTC", ANSWERED_MS);
  expect(range).toEqual({ from: "2026-11-28T07:00:00.000Z", to: "2026-11-28T10:00:00.000Z" });
});

test("of the first bucket, only the part that the answer has counts", () => {
  const range = bucketsRange(hours("2026-11-27T09:00:00Z"), LAST_DAY, "UTC", ANSWERED_MS);
  expect(range).toEqual({ from: "2026-11-27T09:44:00.000Z", to: "2026-11-27T10:00:00.000Z" });
});

test("a chosen time range cuts both ends of a day", () => {
  const timeRange = { from: "2026-11-20T06:00:00Z", to: "2026-11-20T18:00:00Z" };
  const startMs = Date.parse("2026-11-19T23:00:00Z");
  const day = { firstMs: startMs, lastMs: startMs, interval: "day" as const };
  expect(bucketsRange(day, timeRange, "Europe/Berlin", ANSWERED_MS)).toEqual({ from: "2026-11-20T06:00:00.000Z", to: "2026-11-20T18:00:00.000Z" });
});
