import { expect, test } from "vitest";
import type { Comparison } from "../../api/botShapes.ts";
import { bestIndexesOf, comparedLines } from "./comparison.ts";

const COMPACT: Comparison = {
  id: "1", name: "Teapot", avatar: "", monthly_votes: 5, total_votes: 50, server_count: 9, review_count: 4,
  monthly_votes_rank: 2, server_count_rank: 2, total_votes_rank: 1,
};
const FULL: Comparison = { ...COMPACT, id: "2", monthly_votes: 8, monthly_votes_rank: 1, shard_count: 3, avg_review_rating: 4.5 };
const labels = (bots: Comparison[], daily = new Map<string, number>()) => comparedLines(bots, daily).map(({ label }) => label);

test("whole records have more lines than compact ones", () => {
  const few = ["Rank by monthly votes", "Monthly votes", "Total votes", "Servers", "Reviews"];
  expect(labels([COMPACT, COMPACT])).toEqual(few);
  expect(labels([COMPACT, FULL], new Map([["1", 3]]))).toEqual([...few.slice(0, 4), "Shards", "Rating", "Reviews", "Votes a day, 30 days"]);
});

test("the best is the most, of ranks the least, and nobody where all are equal", () => {
  const [rank, monthly, total] = comparedLines([COMPACT, FULL], new Map());
  expect([rank, monthly, total].map((line) => line && [...bestIndexesOf(line)])).toEqual([[1], [1], []]);
});

test("a counter that was never sent is not reported, and a line that nobody has is left out", () => {
  const lines = comparedLines([{ ...FULL, unreported: ["avg_review_rating", "shard_count", "total_votes"] }, { ...FULL, total_votes: 7, unreported: ["shard_count", "avg_review_rating"] }], new Map());
  expect(lines.map(({ label }) => label)).toEqual(["Rank by monthly votes", "Monthly votes", "Total votes", "Servers", "Reviews"]);
  expect(lines.find(({ label }) => label === "Total votes")?.texts).toEqual(["not reported", "7"]);
});

test("a bot without reviews has no rating, which is not the same as none reported", () => {
  const bots = [{ ...FULL, review_count: 0 }, { ...FULL, avg_review_rating: 0, unreported: ["avg_review_rating"] }, FULL];
  expect(comparedLines(bots, new Map()).find(({ label }) => label === "Rating")?.texts).toEqual(["–", "not reported", "4.5"]);
});

test("where more is not better, nothing is the best", () => {
  const shards = comparedLines([FULL, { ...FULL, shard_count: 9 }], new Map()).find(({ label }) => label === "Shards");
  expect(shards && [...bestIndexesOf(shards)]).toEqual([]);
});
