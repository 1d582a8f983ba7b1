import { expect, test } from "vitest";
import { firstSeenHead, lastSeenHead } from "./seenHeads.ts";

test("the first event of a row is named by the range that it is counted in", () => {
  expect(firstSeenHead({ timeRange: "7d" })).toBe("First in 7 days");
  expect(firstSeenHead({ timeRange: "mtd" })).toBe("First this month");
  expect(firstSeenHead({ timeRange: "last_week" })).toBe("First in last week");
  expect(firstSeenHead({ timeRange: "yesterday" })).toBe("First yesterday");
  expect(firstSeenHead({ from: "2026-11-01T00:00:00Z", to: "2026-11-03T00:00:00Z" })).toBe("First in range");
  expect(firstSeenHead({ timeRange: "all" })).toBe("First seen");
});

test("the last event is that of all time, unless the range has ended", () => {
  expect(lastSeenHead({ timeRange: "7d" })).toBe("Last seen");
  expect(lastSeenHead({ timeRange: "all" })).toBe("Last seen");
  expect(lastSeenHead({ timeRange: "last_month" })).toBe("Last in last month");
  expect(lastSeenHead({ from: "2026-11-01T00:00:00Z", to: "2026-11-03T00:00:00Z" })).toBe("Last in range");
});
