import { expect, test } from "vitest";
import type { Comparison } from "../../../api/botShapes.ts";
import { type ComparedPast, bestIndexesOf, comparedLines } from "./comparison.ts";

const COMPACT: Comparison = {
  id: "1", name: "Teapot", avatar: "", monthly_votes: 5, total_votes: 50, server_count: 9, review_count: 4,
  monthly_votes_rank: 2, server_count_rank: 2, total_votes_rank: 1,
};
const FULL: Comparison = { ...COMPACT, id: "2", monthly_votes: 8, monthly_votes_rank: 1, shard_count: 3, avg_review_rating: 4.5 };
const NO_PAST: ComparedPast = { votesPerDayById: new Map(), baseById: {} };
const lineOf = (label: string, bots: Comparison[], past = NO_PAST) => comparedLines(bots, past).find((line) => line.label === label);
const labels = (bots: Comparison[], past = NO_PAST) => comparedLines(bots, past).map(({ label }) => label);

test("whole records have more lines than compact ones", () => {
  const ratio = "Monthly votes per 100 servers";
  expect(labels([COMPACT, COMPACT])).toEqual(["Rank by monthly votes", "Monthly votes", "Total votes", "Servers", ratio, "Reviews"]);
  expect(labels([COMPACT, FULL], { ...NO_PAST, votesPerDayById: new Map([["1", 3]]) })).toEqual([
    ...["Rank by monthly votes", "Monthly votes", "Total votes", "Votes a day, 30 days", "Servers", "Shards", ratio, "Rating", "Reviews"],
  ]);
});

test("votes a day have their place while they are on their way", () => {
  expect(lineOf("Votes a day, 30 days", [COMPACT, FULL], { ...NO_PAST, votesPerDayById: undefined })?.texts).toEqual(["–", "–"]);
});

test("the best is the most, of ranks the least, and nobody where all are equal", () => {
  const [rank, monthly, total] = comparedLines([COMPACT, FULL], NO_PAST);
  expect([rank, monthly, total].map((line) => line && [...bestIndexesOf(line)])).toEqual([[1], [1], []]);
});

test("a counter that was never sent is not reported, and a line that nobody has is left out", () => {
  const bots: Comparison[] = [
    { ...FULL, unreported: ["avg_review_rating", "shard_count", "total_votes"] },
    { ...FULL, total_votes: 7, unreported: ["shard_count", "avg_review_rating"] },
  ];
  expect(labels(bots)).not.toContain("Shards");
  expect(labels(bots)).not.toContain("Rating");
  expect(lineOf("Total votes", bots)?.texts).toEqual(["not reported", "7"]);
});

test("a bot without reviews has no rating, which is not the same as none reported", () => {
  const bots = [{ ...FULL, review_count: 0 }, { ...FULL, avg_review_rating: 0, unreported: ["avg_review_rating"] }, FULL];
  expect(lineOf("Rating", bots)?.texts).toEqual(["–", "not reported", "4.5"]);
});

test("where more is not better, nothing is the best", () => {
  const shards = lineOf("Shards", [FULL, { ...FULL, shard_count: 9 }]);
  expect(shards && [...bestIndexesOf(shards)]).toEqual([]);
});

test("votes per 100 servers have a decimal if they are few, and none without servers", () => {
  const bots = [FULL, { ...FULL, monthly_votes: 18_337, server_count: 3_935 }, { ...FULL, server_count: 0 }, { ...FULL, unreported: ["server_count"] }];
  expect(lineOf("Monthly votes per 100 servers", bots)?.texts).toEqual(["88.9", "466", "–", "–"]);
});

test("a counter changes from what it was, and has no change where that is not known", () => {
  const past = { ...NO_PAST, baseById: { monthly_votes: new Map([["1", 4]]) } };
  expect(lineOf("Monthly votes", [COMPACT, FULL], past)?.changes.map((change) => change?.text)).toEqual(["25.0\u2009%", undefined]);
  expect(lineOf("Servers", [COMPACT, FULL], past)?.changes).toEqual([null, null]);
});
