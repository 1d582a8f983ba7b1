import { expect, test } from "vitest";
import { weekVotesOf } from "./weekVotes.ts";

const HOUR = 3_600_000;
const LAST = 1_795_910_400_000;
const history = (hours: number, valueAt: (hoursAgo: number) => number) =>
  new Map([["1", Array.from({ length: hours }, (_, index) => ({ time: LAST - (hours - 1 - index) * HOUR, value: valueAt(hours - 1 - index) }))]]);

test("votes of a week are the difference of the totals, and so are those of the week before", () => {
  expect(weekVotesOf(history(720, (ago) => 10_000 - ago * (ago > 168 ? 2 : 1)), "1")).toEqual({ count: 168, previousCount: 10_000 - 168 - (10_000 - 336 * 2) });
});

test("a short history has no votes of a week, and none before it", () => {
  expect(weekVotesOf(history(100, () => 5), "1")).toEqual({ count: null, previousCount: null });
  expect(weekVotesOf(history(200, (ago) => 500 - ago), "1")).toEqual({ count: 168, previousCount: null });
  expect(weekVotesOf(new Map(), "1")).toEqual({ count: null, previousCount: null });
});

test("a total that was corrected downwards tells nothing", () => {
  expect(weekVotesOf(history(200, (ago) => ago), "1").count).toBeNull();
});
