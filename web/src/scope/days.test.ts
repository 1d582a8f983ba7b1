import { expect, test } from "vitest";
import { dayOf, timeRangeOfDays, timeRangeInWords } from "./days.ts";

test("days begin at the zone's midnight", () => {
  expect(timeRangeOfDays("2026-11-01", "2026-11-02", "UTC")).toEqual({
    from: "2026-11-01T00:00:00.000Z",
    to: "2026-11-03T00:00:00.000Z",
  });
  expect(timeRangeOfDays("2026-11-01", "2026-11-01", "America/New_York")).toEqual({
    from: "2026-11-01T04:00:00.000Z",
    to: "2026-11-02T05:00:00.000Z",
  });
});

test("a day whose midnight does not exist begins when it begins", () => {
  // In 2018, clocks in São Paulo went from 23:59:59 on 3 November to 1:00 on the 4th.
  expect(timeRangeOfDays("2018-11-04", "2018-11-04", "America/Sao_Paulo")).toEqual({
    from: "2018-11-04T03:00:00.000Z",
    to: "2018-11-05T02:00:00.000Z",
  });
});

test.each([
  ["2026-11-02", "2026-11-01"],
  ["", "2026-11-01"],
  ["2026-13-01", "2026-13-02"],
])("%s to %s is no time range", (first, last) => {
  expect(timeRangeOfDays(first, last, "UTC")).toBeNull();
});

test("a moment belongs to the day of its zone", () => {
  expect(dayOf("2026-11-01T23:30:00Z", "Europe/Berlin")).toBe("2026-11-02");
});

test("whole days are named without times", () => {
  const timeRange = timeRangeOfDays("2026-11-01", "2026-11-14", "Europe/Berlin");
  expect(timeRange && timeRangeInWords(timeRange, "Europe/Berlin")).toMatch(/^1\s?–\s?14 Nov 2026$/);
  expect(timeRangeInWords({ timeRange: "mtd" }, "UTC")).toBe("This month");
});
