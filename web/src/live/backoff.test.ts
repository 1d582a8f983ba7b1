import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

test("attempts become rarer up to half a minute", () => {
  expect([1, 2, 3, 5, 6, 60, 2000].map((failures) => backoffMs(failures, 1))).toEqual([
    1_000, 2_000, 4_000, 16_000, 30_000, 30_000, 30_000,
  ]);
});

test("chance spreads them over half of the time", () => {
  expect([backoffMs(3, 0), backoffMs(3, 0.5)]).toEqual([2_000, 3_000]);
});
