import { expect, test } from "vitest";
import { type Contest, leaderWords } from "./leaderWords.ts";

const DAY = 86_400_000;
const LAST = Date.UTC(2026, 10, 30);
const contest = (length: number, ...values: ((day: number) => number | null)[]): Contest => ({
  names: ["Encore", "Quill", "Tamber"],
  times: Array.from({ length }, (_, day) => LAST - (length - 1 - day) * DAY),
  lines: values.map((valueAt) => Array.from({ length }, (_, day) => valueAt(day))),
  metric: "monthly_votes",
  restarting: values.map(() => false),
});

test("the last crossing of the leader, what both gain a day, and where that leads", () => {
  const words = leaderWords(contest(15, (day) => 1_000 + day * 87, (day) => 1_400 + day * 33));
  expect(words).toEqual({
    title: "Encore passed Quill on 24 Nov",
    detail: "It is 356 votes ahead. In the last 14 days its monthly count rose by 87 a day, Quill's by 33. At this pace it is about 2,000 ahead on 30 Dec.",
  });
});

test("without a crossing, by how much it leads the next", () => {
  const words = leaderWords(contest(15, () => 10, (day) => 100 + day * 2.5, (day) => 90 - day));
  expect(words?.title).toBe("Quill leads Tamber by 59 votes");
  expect(words?.detail).toBe("In the last 14 days its monthly count rose by 2.5 a day, Tamber's fell by 1. At this pace it is about 160 ahead on 30 Dec.");
});

test("other counters gain and lose", () => {
  const servers = contest(15, (day) => 900 + day * 2.5, (day) => 90 - day);
  expect(leaderWords({ ...servers, metric: "server_count" })?.detail).toContain("it gained 2.5 a day, Quill lost 1.");
});

test("a rival that gains more passes on a day", () => {
  expect(leaderWords(contest(15, () => 1_000, (day) => 700 + 10 * day))?.detail).toContain("At this pace Quill passes it on 16 Dec.");
});

test("there is no forecast from few days, nor of a count that starts again", () => {
  const few = contest(5, (day) => 100 + day, () => 50);
  expect(leaderWords(few)?.detail).toBe("In the last 4 days its monthly count rose by 1 a day, Quill's by 0. A forecast needs 14 days of data.");
  const many = contest(15, (day) => 100 + day, () => 50);
  expect(leaderWords({ ...many, restarting: [false, true] })?.detail).toContain("starts again each month");
});

test("equal bots are level, and one alone has nobody to lead", () => {
  expect(leaderWords(contest(3, () => 5, () => 5))?.title).toBe("Encore and Quill are level");
  expect(leaderWords(contest(3, () => 5, () => null))).toBeNull();
  expect(leaderWords(contest(0, () => 5, () => 5))).toBeNull();
});
