import { expect, test } from "vitest";
import type { RecentEntry } from "../../api/bots.ts";
import { changesOf } from "./counterChanges.ts";

const entry = (servers: number, change: number): RecentEntry =>
  ({ server_count: servers, server_count_change: change }) as RecentEntry;
const flat = (length: number, servers: number, change = 0) => Array.from({ length }, () => entry(servers, change));

test("a counter is compared with the same hour a day ago, and with the end of the day thirty days ago", () => {
  const recent = { hourlyData: [entry(120, 1), ...flat(23, 110), entry(100, 0)], dailyData: [...flat(29, 110), entry(90, 10)] };
  expect(changesOf(recent, "server_count")).toMatchObject({
    day: { direction: "up", text: "20.0\u2009%" },
    month: { direction: "up", text: "50.0\u2009%" },
  });
});

test("without a count to compare with there is no change", () => {
  expect(changesOf({ hourlyData: flat(3, 5), dailyData: flat(29, 5) }, "server_count")).toEqual({ day: null, month: null });
  expect(changesOf({ hourlyData: flat(30, 5), dailyData: flat(30, 0) }, "server_count").month).toBeNull();
  expect(changesOf({ hourlyData: [], dailyData: [] }, "server_count")).toEqual({ day: null, month: null });
});
