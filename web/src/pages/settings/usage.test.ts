import { expect, test } from "vitest";
import { meterOf } from "./usage.ts";

const NOVEMBER = { plan: "paid", period: "2026-11", used: 1_000, cap: null, resetsAt: "2026-12-01T00:00:00.000Z" };
const at = (text: string) => Date.parse(text);

test("without a cap, nothing can be full", () => {
  expect(meterOf(NOVEMBER, at("2026-11-16T00:00:00Z"))).toEqual({
    month: "November",
    nextMonth: "December",
    resetsInDays: 15,
    dayNumber: 16,
    dayCount: 30,
    usedShare: null,
    expectedCount: 2_000,
  });
});

test("with a cap, the meter shows what is used", () => {
  const { usedShare } = meterOf({ ...NOVEMBER, cap: 4_000 }, at("2026-11-16T00:00:00Z"));
  expect(usedShare).toBe(0.25);
  expect(meterOf({ ...NOVEMBER, cap: 500 }, at("2026-11-16T00:00:00Z")).usedShare).toBe(1);
});

test("a month that has begun says nothing about its end", () => {
  expect(meterOf(NOVEMBER, at("2026-11-02T23:59:00Z")).expectedCount).toBeNull();
});

test("the last moment belongs to the month", () => {
  const { dayNumber, resetsInDays, nextMonth } = meterOf({ ...NOVEMBER, period: "2026-12", resetsAt: "2027-01-01T00:00:00.000Z" }, at("2026-12-31T23:59:59Z"));
  expect([dayNumber, resetsInDays, nextMonth]).toEqual([31, 1, "January"]);
});
