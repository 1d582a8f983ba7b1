import { expect, test } from "vitest";
import { firedInWords, firesInWords, totalFiringMs, lineOf, marksOf, stripInWords, stripDaysOf } from "./stripDays.ts";

const TESTED = {
  from: "2026-10-21T12:04:00.000Z",
  to: "2026-11-20T12:04:00.000Z",
  incidents: [
    { firedAt: "2026-10-21T18:00:00.000Z", resolvedAt: "2026-10-21T18:22:00.000Z", value: 31 },
    { firedAt: "2026-10-28T23:30:00.000Z", resolvedAt: "2026-10-30T00:30:00.000Z", value: 44 },
    { firedAt: "2026-11-12T08:00:00.000Z", resolvedAt: "2026-11-12T09:00:00.000Z", value: null },
    { firedAt: "2026-11-12T10:00:00.000Z", resolvedAt: "2026-11-12T10:30:00.000Z", value: 88 },
    { firedAt: "2026-11-20T11:50:00.000Z", resolvedAt: null, value: 61 },
  ],
};
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const began = (timezone: string) =>
  stripDaysOf(TESTED, timezone)
    .filter(({ incidentCount }) => incidentCount > 0)
    .map(({ day, incidentCount }) => [day, incidentCount]);

test("thirty days end today and have all incidents, those of the part of a day before the first as well", () => {
  const days = stripDaysOf(TESTED, "UTC");
  expect(days).toHaveLength(30);
  expect([days[0]?.day, days.at(-1)?.day]).toEqual(["2026-10-22", "2026-11-20"]);
  expect(days[0]?.label).toBe("21 Oct and 22 Oct");
  expect(began("UTC")).toEqual([["2026-10-22", 1], ["2026-10-28", 1], ["2026-11-12", 2], ["2026-11-20", 1]]);
});

test("an incident belongs to the day that the workspace's clocks show", () => {
  expect(began("Asia/Tokyo")).toEqual([["2026-10-22", 1], ["2026-10-29", 1], ["2026-11-12", 2], ["2026-11-20", 1]]);
  expect(began("America/Los_Angeles").map(([day]) => day)).toEqual(["2026-10-22", "2026-10-28", "2026-11-12", "2026-11-20"]);
});

test("a day on which an incident went on is not one on which it began", () => {
  const firing = stripDaysOf(TESTED, "UTC").filter((day) => day.isFiring).map(({ day }) => day);
  expect(firing).toEqual(["2026-10-22", "2026-10-28", "2026-10-29", "2026-10-30", "2026-11-12", "2026-11-20"]);
});

test("a strip in words", () => {
  expect(stripInWords(stripDaysOf(TESTED, "UTC"))).toBe("Incidents per day: 1 on 21 Oct and 22 Oct, 1 on 28 Oct, 2 on 12 Nov, 1 on 20 Nov");
  expect(stripInWords(stripDaysOf({ ...TESTED, incidents: [] }, "UTC"))).toBe("No incidents in 30 days");
  expect([0, 1, 3].map(firedInWords)).toEqual(["Would not have fired", "Would have fired once", "Would have fired 3 times"]);
  expect([0, 1, 3].map(firesInWords).map(plain)).toEqual(["never fires", "fires once a month", "fires 3 × a month"]);
});

test("an open incident counts up to now", () => {
  const minutes = 22 + 25 * 60 + 60 + 30 + 14;
  expect(totalFiringMs(TESTED)).toBe(minutes * 60_000);
});

test("one mark for each day", () => {
  const marks = marksOf(TESTED, "UTC");
  expect(marks.map(({ label }) => label)).toEqual(["21 Oct", "28 Oct", "12 Nov", "now"]);
  expect(marks.map(({ count }) => count)).toEqual([1, 1, 2, 1]);
  expect(marks.map(({ description }) => plain(description ?? ""))).toEqual([
    "fired at 31, lasted 22 min",
    "fired at 44, lasted 1 day 1 h",
    "2 incidents, 1 h 30 min in total",
    "fired at 61, for 14 min",
  ]);
});

test("the line has the newest hours", () => {
  const points = [1, null, 3].map((value, index) => ({ t: `2026-11-20T0${index}:00:00.000Z`, value }));
  expect(lineOf({ points }, "x", 2).series[0]?.values).toEqual([null, 3]);
  expect(lineOf({ points }, "x").times).toHaveLength(3);
});
