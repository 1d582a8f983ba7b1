import { expect, test } from "vitest";
import type { BotRecord, RankingEntry } from "../../api/bots.ts";
import { searchRows, rankRows } from "./ranking.ts";

const ENTRY: RankingEntry = {
  id: "1", name: "Teapot", monthly_votes: 5, monthly_votes_rank: 3, server_count: 9, server_count_rank: 2, total_votes: 50,
  total_votes_rank: 1, review_count: 4, monthly_votes_rank_change: -1, server_count_rank_change: 2, total_votes_rank_change: 0,
};
const PAGE = { isLeastFirst: false, offset: 20, total: 50 };

test("a row has the rank and the change of the chosen metric", () => {
  expect(rankRows([ENTRY], { ...PAGE, metric: "monthly_votes" })).toMatchObject([{ rank: 3, change: -1 }]);
  expect(rankRows([ENTRY], { ...PAGE, metric: "server_count" })).toMatchObject([{ rank: 2, change: 2 }]);
});

test("a counter that was never sent has no value", () => {
  const [row] = rankRows([{ ...ENTRY, server_count: 0, unreported: ["server_count"] }], { ...PAGE, metric: "monthly_votes" });
  expect(row?.values).toMatchObject({ server_count: null, monthly_votes: 5 });
});

test("by reviews, the place in the order is the rank, from both ends", () => {
  expect(rankRows([ENTRY], { ...PAGE, metric: "review_count" })).toMatchObject([{ rank: 21, change: null }]);
  expect(rankRows([ENTRY], { ...PAGE, metric: "review_count", isLeastFirst: true })).toMatchObject([{ rank: 30 }]);
});

test("what a search found is ordered by the metric, and a deleted bot has no rank", () => {
  const bots = [{ ...ENTRY, server_count_rank: 0 }, { ...ENTRY, id: "2", server_count: 12 }] as unknown as BotRecord[];
  expect(searchRows(bots, "server_count", false).map(({ id, rank }) => [id, rank])).toEqual([["2", 2], ["1", null]]);
  expect(searchRows(bots, "server_count", true).map(({ id }) => id)).toEqual(["1", "2"]);
});
