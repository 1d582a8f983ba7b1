import { expect, test } from "vitest";
import { hasOffset, haveTimes, parseMomentMs, readMoment } from "./timestamps.ts";

const read = (text: string, unit: Parameters<typeof readMoment>[1] = "auto", zone = "") => readMoment({ text, isJson: false }, unit, zone);

test("texts stay as they are, and a bare date is its midnight", () => {
  expect(read("2026-11-20T12:00:00Z")).toBe("2026-11-20T12:00:00Z");
  expect(read(" 2026-11-20 12:00 ")).toBe("2026-11-20 12:00");
  expect(read("2026-11-20")).toBe("2026-11-20T00:00:00");
});

test("the unit of a number is recognised by its size", () => {
  for (const text of ["1763596800", "1763596800000", "1763596800000000", "1763596800000000000", "1763596800.0"]) {
    expect(read(text), text).toBe("2025-11-20T00:00:00.000Z");
  }
  expect(read("86400", "s")).toBe("1970-01-02T00:00:00.000Z");
});

test("what is no time is refused in the importer's words", () => {
  expect(() => read("2026")).toThrow("timestamp: 2026 is ambiguous; choose its unit");
  expect(() => read("yesterday")).toThrow("timestamp: 'yesterday' is not an ISO 8601 date-time");
  expect(() => read("soon", "s")).toThrow("timestamp: 'soon' is not a Unix time");
  expect(() => read("-1", "s")).toThrow("timestamp: -1 in s is not between the years 1970 and 9999");
  for (const text of ["2026-02-30T00:00:00", "2026-13-01T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T12:00:60Z", "2026-1120T12:00"]) {
    expect(() => read(text), text).toThrow("is not an ISO 8601 date-time");
  }
});

test("times without an offset are of the zone", () => {
  expect(read("2026-11-20T12:00:00.250", "auto", "Europe/Berlin")).toBe("2026-11-20T11:00:00.250Z");
  expect(read("2026-07-01", "auto", "Europe/Berlin")).toBe("2026-06-30T22:00:00.000Z");
  expect(read("2026-07-01T00:00:00Z", "auto", "Europe/Berlin")).toBe("2026-07-01T00:00:00Z");
});

test("an offset is part of the moment", () => {
  expect(parseMomentMs("2026-11-20T12:00:00+02:00")).toBe(Date.UTC(2026, 10, 20, 10));
  expect(parseMomentMs("20261120T120000-0130")).toBe(Date.UTC(2026, 10, 20, 13, 30));
  expect(parseMomentMs("2026-11-20T12:00:00,5Z")).toBe(Date.UTC(2026, 10, 20, 12, 0, 0, 500));
  expect([hasOffset("2026-11-20"), hasOffset("2026-11-20T12:00+02"), hasOffset("2026-11-20T12:00")]).toEqual([false, true, false]);
});

test("years with zeros in front are no years of the last century", () => {
  expect(parseMomentMs("0099-05-05T12:00:00Z")).toBeLessThan(0);
  expect(() => read("0099-05-05T12:00:00", "auto", "Europe/Berlin")).toThrow("timestamp: '0099-05-05T12:00:00' is before the year 1970");
});

test("a column has times if each value has a time of day", () => {
  expect(haveTimes(["2026-11-01 00:00:00", " 2026-11-02T08:15Z"])).toBe(true);
  expect(haveTimes(["2026-11-01 00:00:00", "2026-11-02"])).toBe(false);
  expect(haveTimes([])).toBe(false);
});
