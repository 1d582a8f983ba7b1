import { expect, test } from "vitest";
import type { Result } from "../../api/widgets.ts";
import { dailyCountsOf } from "./dailyCounts.ts";

const answer = (points: [t: string, value: number][]) =>
  ({ kind: "timeseries", interval: "day", points: points.map(([t, value]) => ({ t, value })) }) as unknown as Result;

test("the days of all environments are added up, as the workspace's calendar has them", () => {
  const production = answer([
    ["2026-10-31T23:00:00Z", 5],
    ["2026-11-01T23:00:00Z", 7],
  ]);
  const development = answer([["2026-11-01T23:00:00Z", 2]]);
  const days = dailyCountsOf([production, undefined, development], 30, "Europe/Berlin");
  expect(days).toHaveLength(30);
  expect(days.slice(0, 3)).toEqual([
    { day: 1, count: 5 },
    { day: 2, count: 9 },
    { day: 3, count: 0 },
  ]);
});
