import { expect, test } from "vitest";
import type { ActivityEntry } from "../../api/alerts.ts";
import { activityWithin, sortByUrgency, groupByDay, lastFiredAt, lastFiredInWords, durationMsByEntryId } from "./activity.ts";

const NOW = Date.parse("2026-11-20T12:04:00Z");
const entry = (id: string, alertId: string, type: ActivityEntry["type"], at: string): ActivityEntry => ({
  id,
  alertId,
  alertName: alertId,
  type,
  value: 1,
  threshold: 0,
  condition: "above",
  severity: "warning",
  at,
});
const ENTRIES = [
  entry("5", "a", "fired", "2026-11-20T11:50:00Z"),
  entry("4", "a", "resolved", "2026-11-20T09:36:00Z"),
  entry("2", "a", "fired", "2026-11-20T09:14:00Z"),
  entry("3", "b", "fired", "2026-11-19T20:44:00Z"),
  entry("1", "b", "resolved", "2026-11-12T18:04:00Z"),
];
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("an incident lasts from its beginning to its end, and one whose beginning is not listed has no length", () => {
  expect([...durationMsByEntryId(ENTRIES)]).toEqual([["4", 22 * 60_000]]);
});

test("an incident without a value goes on", () => {
  const gap = entry("6", "a", "nodata", "2026-11-20T09:20:00Z");
  expect([...durationMsByEntryId([...ENTRIES.slice(0, 2), gap, ...ENTRIES.slice(2)])]).toEqual([["4", 22 * 60_000]]);
});

test("when an alert last fired", () => {
  const said = (id: string, isComplete: boolean) => plain(lastFiredInWords(ENTRIES, isComplete, { id }, "UTC", NOW));
  expect(lastFiredAt(ENTRIES, "a")).toBe("2026-11-20T11:50:00Z");
  expect(said("a", true)).toBe("last fired 14 min ago");
  expect(said("b", true)).toBe("last fired 15 h ago");
  expect(said("c", true)).toBe("never fired");
  expect(said("c", false)).toBe("not fired since 12 Nov");
  expect(lastFiredInWords([], false, { id: "c" }, "UTC", NOW)).toBe("never fired");
});

test("days in the workspace's zone", () => {
  expect(groupByDay(ENTRIES, "UTC", NOW).map(({ name, entries }) => [name, entries.length])).toEqual([["Today", 3], ["Yesterday", 1], ["Thu 12 Nov 2026", 1]]);
});

test("entries of another environment's alerts are left out", () => {
  const alerts = [{ id: "a", environment: "production" }, { id: "b", environment: "development" }];
  expect(activityWithin(ENTRIES, alerts, "production").map(({ id }) => id)).toEqual(["5", "4", "2"]);
});

test("what fires comes first, and the critical before the rest", () => {
  const alerts = [
    { id: 1, status: "ok" as const, severity: "critical" as const },
    { id: 2, status: "firing" as const, severity: "warning" as const },
    { id: 3, status: "firing" as const, severity: "critical" as const },
  ];
  expect(sortByUrgency(alerts).map(({ id }) => id)).toEqual([3, 2, 1]);
});
