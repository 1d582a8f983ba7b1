import { expect, test } from "vitest";
import { Rate } from "./rate.ts";

test("a rate counts the last minute, and less than that in proportion", () => {
  const rate = new Rate(0);
  rate.add(10, 1_000);
  expect(rate.perMinute(4_999)).toBeNull();
  expect(rate.perMinute(10_000)).toBe(60);
  rate.add(20, 50_000);
  expect(rate.perMinute(60_000)).toBe(30);
  expect(rate.perMinute(61_000)).toBe(20);
  expect(rate.perMinute(200_000)).toBe(0);
});
