import { expect, test } from "vitest";
import { type LiveQuestion, questionKey, streamPath } from "./liveQuestion.ts";
import { Tabs } from "./tabs.ts";

const ALL: LiveQuestion = { workspaceId: "w", environment: "production", filters: [] };
const ORDERS: LiveQuestion = { ...ALL, name: "order placed" };
const watched = (tabs: Tabs<string>, now: number) =>
  [...tabs.questionsByKey(now).values()].map(({ question, isWatched: is }) => [question.name ?? "all", is]);

test("tabs with the same question share it", () => {
  const tabs = new Tabs<string>();
  tabs.addQuestion("a", 1, ALL, 0);
  tabs.addQuestion("b", 7, { ...ALL }, 0);
  tabs.addQuestion("b", 8, ORDERS, 0);
  expect(watched(tabs, 0)).toEqual([["all", true], ["order placed", true]]);
  expect(tabs.listenersOf(questionKey(ALL))).toEqual([{ port: "a", id: 1 }, { port: "b", id: 7 }]);
  tabs.removeQuestion("b", 8);
  expect(watched(tabs, 0)).toEqual([["all", true]]);
});

test("a stream ends once every tab that watches it has been hidden for a minute", () => {
  const tabs = new Tabs<string>();
  tabs.addQuestion("a", 1, ALL, 0);
  tabs.addQuestion("b", 1, ALL, 0);
  tabs.setHidden("a", true, 0);
  expect(watched(tabs, 90_000)).toEqual([["all", true]]);
  tabs.setHidden("b", true, 40_000);
  tabs.setHidden("b", true, 80_000);
  expect(watched(tabs, 99_999)).toEqual([["all", true]]);
  expect(watched(tabs, 100_000)).toEqual([["all", false]]);
  tabs.setHidden("a", false, 200_000);
  expect(watched(tabs, 300_000)).toEqual([["all", true]]);
});

test("tabs that left or fell silent are forgotten", () => {
  const tabs = new Tabs<string>();
  tabs.addQuestion("a", 1, ALL, 0);
  tabs.addQuestion("b", 1, ORDERS, 0);
  tabs.noteHeard("a", 100_000);
  tabs.removeSilentTabs(151_000);
  expect(watched(tabs, 151_000)).toEqual([["all", true]]);
  tabs.removeTab("a");
  expect(watched(tabs, 151_000)).toEqual([]);
});

test("a question is told from others by all that it asks", () => {
  const others = [ORDERS, { ...ALL, actor: "order placed" }, { ...ALL, workspaceId: "v" }, { ...ALL, filters: [{ key: "a", op: "exists" as const }] }];
  expect(new Set([ALL, ...others].map(questionKey)).size).toBe(5);
  expect(streamPath({ ...ORDERS, filters: [{ key: "a", op: "eq", value: "ü&" }] })).toBe(
    "/v1/events/stream?environment=production&name=order+placed&filters=%5B%7B%22key%22%3A%22a%22%2C%22op%22%3A%22eq%22%2C%22value%22%3A%22%C3%BC%26%22%7D%5D",
  );
});
