import { expect, test } from "vitest";
import { proposalsFor } from "./proposals.ts";

const NAMES = {
  events: [{ name: "play", count: 9 }, { name: "skip", count: 4 }, { name: "share", count: 1 }],
  properties: [
    { key: "session", types: ["string"], examples: ["a7f3", "b9c1"] },
    { key: "plan", types: ["string"], examples: ["pro", "free"] },
    { key: "ms", types: ["number"], examples: [5] },
  ],
};
const wordsOf = (names: typeof NAMES, titles: string[] = []) => proposalsFor(names, titles).map(({ words }) => words);

test("the most frequent events and a property with few values are proposed", () => {
  expect(wordsOf(NAMES)).toEqual(["play over time", "Unique actors of all events", "play by plan", "skip over time", "95th percentile of ms of play over time"]);
  expect(proposalsFor(NAMES, [])[2]?.fields).toMatchObject({ type: "metric", title: "play by plan", config: { event: "play", measure: "count", breakdown: "plan" } });
});

test("what the dashboard has is not proposed again", () => {
  expect(wordsOf(NAMES, ["play", "play by plan"])).toEqual(["Unique actors of all events", "skip over time", "95th percentile of ms of play over time"]);
});

test("without properties or a second event there is less to propose, and nothing without events", () => {
  expect(wordsOf({ events: NAMES.events.slice(0, 1), properties: [] })).toEqual(["play over time", "Unique actors of all events"]);
  expect(wordsOf({ events: [], properties: [] })).toEqual([]);
});
