import { expect, test } from "vitest";
import type { RankingEntry } from "../../../api/bots.ts";
import { nearestBots, pageAround, rankIn, rankedMetricOf } from "./neighbors.ts";

const entries = Array.from({ length: 9 }, (_, index) => ({ id: String(index + 1), monthly_votes_rank: index + 1 }) as RankingEntry);
const nearest = (rank: number, comparedIds: string[]) => nearestBots(entries, "monthly_votes", rank, comparedIds).map(({ id }) => id);

test("the nearest by rank that are not compared yet, best first", () => {
  expect(nearest(5, ["5"])).toEqual(["3", "4", "6"]);
  expect(nearest(5, ["5", "4", "6"])).toEqual(["2", "3", "7"]);
  expect(nearest(1, ["1"])).toEqual(["2", "3", "4"]);
  expect(nearest(9, ["9", "8", "7", "6", "5", "4", "3", "2"])).toEqual(["1"]);
});

test("the page of the ranking lies around the rank", () => {
  expect(pageAround(1)).toEqual({ offset: 0, limit: 13 });
  expect(pageAround(100)).toEqual({ offset: 87, limit: 25 });
});

test("reviews are ranked by votes, and a deleted bot has no rank", () => {
  expect([rankedMetricOf("review_count"), rankedMetricOf("server_count")]).toEqual(["monthly_votes", "server_count"]);
  expect(rankIn(undefined, "monthly_votes")).toBeNull();
});
