import { expect, test } from "vitest";
import { forecastOf, pacesOf } from "./pace.ts";

const DAY = 86_400_000;
const LAST = 1_795_910_400_000;
const line = (length: number, valueAt: (day: number) => number) => Array.from({ length }, (_, day) => valueAt(day));
const duelOf = (length: number, leader: (day: number) => number, rival: (day: number) => number) => ({
  times: line(length, (day) => LAST - (length - 1 - day) * DAY),
  leader: line(length, leader),
  rival: line(length, rival),
});
const outlook = (...duel: Parameters<typeof duelOf>) => {
  const found = duelOf(...duel);
  return forecastOf(found, pacesOf(found));
};

test("a pace is that of the last 14 days", () => {
  expect(pacesOf(duelOf(30, (day) => (day < 15 ? 1_000 : 1_000 + (day - 15) * 87), (day) => day * 33))).toEqual({ days: 14, leader: 87, rival: 33 });
});

test("with fewer days, it is that of those; of less than a day there is none", () => {
  expect(pacesOf(duelOf(4, (day) => day * 10, () => 5))).toEqual({ days: 3, leader: 10, rival: 0 });
  expect(pacesOf(duelOf(1, () => 1, () => 2))).toBeNull();
  expect(pacesOf(duelOf(0, () => 1, () => 2))).toBeNull();
});

test("the pace of two begins where both are known", () => {
  const duel = duelOf(20, (day) => day, (day) => day * 2);
  expect(pacesOf({ ...duel, rival: duel.rival.map((value, day) => (day < 15 ? null : value)) })).toEqual({ days: 4, leader: 1, rival: 2 });
});

test("a lead grows by the difference of the paces", () => {
  expect(outlook(15, (day) => 1_000 + day * 10, (day) => 900 + day * 4)).toEqual({ kind: "ahead", lead: 184 + 30 * 6, time: LAST + 30 * DAY });
});

test("a rival that gains more passes on a day within 30, or is nearer then", () => {
  expect(outlook(15, (day) => 1_000 + day, (day) => 800 + day * 11)).toEqual({ kind: "passed", time: LAST + 6 * DAY });
  expect(outlook(15, () => 1_000, (day) => day)).toEqual({ kind: "ahead", lead: 986 - 30, time: LAST + 30 * DAY });
});

test("less than 14 days make no forecast", () => {
  expect(outlook(14, (day) => 1_000 + day * 10, (day) => 900 + day)).toEqual({ kind: "none", reason: "short" });
  expect(outlook(0, () => 1, () => 1)).toEqual({ kind: "none", reason: "short" });
});

test("a counter that starts again makes no forecast, and no pace if it did so within it", () => {
  const monthly = (day: number) => (day % 30) * 100;
  expect(outlook(60, monthly, (day) => day)).toEqual({ kind: "none", reason: "restarts" });
  expect(pacesOf(duelOf(35, monthly, (day) => day))).toBeNull();
  expect(outlook(35, monthly, (day) => day)).toEqual({ kind: "none", reason: "restarts" });
});

test("two weeks that lead in different directions make no forecast", () => {
  expect(outlook(15, (day) => 1_000 + (day < 8 ? day * 9 : 63 - day), (day) => day)).toEqual({ kind: "none", reason: "uneven" });
});
