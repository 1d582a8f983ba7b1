import { QueryClient, hashKey } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Metric, TimeFrame } from "../core/bots.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import type { ActivityListOptions, GroupSort } from "./activityLists.ts";
import { actorQuery, actorsQuery } from "./actors.ts";
import { type AlertRule, backTestQuery } from "./alerts.ts";
import { annotationsQuery } from "./annotations.ts";
import { historiesQuery, rankingsQuery, votersQuery } from "./bots.ts";
import { newestEventsQuery } from "./events.ts";
import { groupQuery, groupsQuery } from "./groups.ts";
import { forgetAnswers, placeholderFor } from "./placeholders.ts";
import { namesQuery } from "./names.ts";
import { type PublicPage, publicWidgetQuery } from "./public.ts";
import { type DataFields, type Question, type SavedScope, type Widget, questionQuery, savedWidgetQuery } from "./widgets.ts";

interface Asked {
  queryKey: readonly unknown[];
}
/** Every argument of a query, switched one at a time: how the name of an answer and its view depend on it. */
interface Case<Args> {
  ask: (args: Args) => Asked;
  args: Args;
  /** With these, it is about something else: nothing of the answer before may be shown. */
  about: Partial<Args>;
  /** With these, the same is looked at otherwise. */
  view: Partial<Args>;
}

const one = <Args>(args: Case<Args>): Case<Record<string, unknown>> => args as unknown as Case<Record<string, unknown>>;
const week = { timeRange: "7d" } as const;
const month = { timeRange: "30d" } as const;
const PRO = [{ key: "plan", op: "eq" as const, value: "pro" }];
const FREE = [{ key: "plan", op: "eq" as const, value: "free" }];

const widget = { id: "w1", type: "metric", config: { event: "a", measure: "count" }, ignoreDashboardFilters: false } as Widget;
const ofWidget = {
  saved: { environment: "production", timeRange: "7d", filters: [] } as SavedScope,
  widget,
  asked: {} as DataFields,
};
const watched = { environment: "production", event: "a", condition: "above" as const, threshold: 1 };
const page = { timeRange: "7d", timezone: "UTC" } as PublicPage["dashboard"];
const card = { id: "w1", title: "A", type: "metric", display: {} } as PublicPage["widgets"][number];

const CASES: Record<string, Case<Record<string, unknown>>> = {
  "the environment of a dashboard": one({
    ask: ({ saved, widget: of, asked }: typeof ofWidget) => savedWidgetQuery(saved, of, asked),
    args: ofWidget,
    about: { saved: { ...ofWidget.saved, environment: "development" } },
    view: { saved: { ...ofWidget.saved, timeRange: "30d" } },
  }),
  "the config of a widget, and the saved filters": one({
    ask: ({ saved, widget: of, asked }: typeof ofWidget) => savedWidgetQuery(saved, of, asked),
    args: ofWidget,
    about: { widget: { ...widget, config: { event: "b", measure: "count" } } },
    view: { saved: { ...ofWidget.saved, filters: PRO } },
  }),
  "the type of a widget, and the filters of the address": one({
    ask: ({ saved, widget: of, asked }: typeof ofWidget) => savedWidgetQuery(saved, of, asked),
    args: ofWidget,
    about: { widget: { ...widget, type: "funnel" } },
    view: { asked: { filters: FREE } },
  }),
  "the id of a widget, and the time range of the address": one({
    ask: ({ saved, widget: of, asked }: typeof ofWidget) => savedWidgetQuery(saved, of, asked),
    args: ofWidget,
    about: { widget: { ...widget, id: "w2" } },
    view: { asked: month },
  }),
  "a question": one<{ question: Question; environment: string; timeRange: TimeRange }>({
    ask: ({ question, ...rest }: { question: Question; environment: string; timeRange: TimeRange }) => questionQuery({ ...question, ...rest.timeRange, environment: rest.environment }),
    args: { question: { environment: "", type: "metric", config: { event: "a" } }, environment: "production", timeRange: week },
    about: { question: { environment: "", type: "metric", config: { event: "b" } }, environment: "development" },
    view: { timeRange: month },
  }),
  "actors": one<{ environment: string; timeRange: TimeRange } & ActivityListOptions>({
    ask: ({ environment, timeRange, ...list }) => actorsQuery(environment, timeRange, list),
    args: { environment: "production", timeRange: week, q: "a", sort: "events", filters: [] },
    about: { environment: "development" },
    view: { timeRange: month, q: "b", sort: "lastSeen", filters: FREE },
  }),
  "an actor": one<{ environment: string; timeRange: TimeRange; key: string }>({
    ask: ({ environment, timeRange, key }) => actorQuery(environment, timeRange, key),
    args: { environment: "production", timeRange: week, key: "a" },
    about: { environment: "development", key: "b" },
    view: { timeRange: month },
  }),
  "groups": one<{ environment: string; timeRange: TimeRange; propKey: string } & ActivityListOptions<GroupSort>>({
    ask: ({ environment, timeRange, propKey, ...list }) => groupsQuery(environment, timeRange, propKey, list),
    args: { environment: "production", timeRange: week, propKey: "plan", q: "a", sort: "events", filters: [] },
    about: { environment: "development", propKey: "team" },
    view: { timeRange: month, q: "b", sort: "lastSeen", filters: FREE },
  }),
  "a group": one<{ environment: string; timeRange: TimeRange; propKey: string; key: string }>({
    ask: ({ environment, timeRange, propKey, key }) => groupQuery(environment, timeRange, propKey, key),
    args: { environment: "production", timeRange: week, propKey: "plan", key: "a" },
    about: { environment: "development", propKey: "team", key: "b" },
    view: { timeRange: month },
  }),
  "a back-test": one<AlertRule>({
    ask: (args) => backTestQuery(args),
    args: watched,
    about: { environment: "development", event: "b" },
    view: { condition: "below", threshold: 2 },
  }),
  "histories": one<{ ids: string[]; metric: Metric; frame: TimeFrame }>({
    ask: ({ ids, metric, frame }) => historiesQuery(ids, metric, frame),
    args: { ids: ["1"], metric: "server_count", frame: "7d" },
    about: { ids: ["2"], metric: "total_votes" },
    view: { frame: "30d" },
  }),
  "rankings": one<{ metric: Metric; least: boolean; offset: number; limit: number }>({
    ask: ({ metric, least, offset, limit }) => rankingsQuery(metric, least, offset, limit),
    args: { metric: "server_count", least: false, offset: 0, limit: 10 },
    about: { metric: "total_votes" },
    view: { least: true, offset: 10, limit: 20 },
  }),
  "voters": one({
    ask: ({ id, offset, limit }) => votersQuery(id, offset, limit),
    args: { id: "1", offset: 0, limit: 10 },
    about: { id: "2" },
    view: { offset: 10, limit: 20 },
  }),
  "a public widget": one({
    ask: ({ slug, of, shown }) => publicWidgetQuery(slug, of, shown),
    args: { slug: "s", of: page, shown: card },
    about: { slug: "t", shown: { ...card, title: "B" } },
    view: { of: { ...page, timeRange: "30d" } },
  }),
};

/** Each change alone, beside the arguments before. */
const changes = (args: Record<string, unknown>, changed: Partial<Record<string, unknown>>) =>
  Object.entries(changed).map(([name, value]) => ({ ...args, [name]: value }));

test.each(Object.entries(CASES))("the key of %s tells apart all that its answer depends on", (_, { ask, args, about, view }) => {
  const keys = [args, ...changes(args, about), ...changes(args, view)].map((each) => hashKey(ask(each).queryKey));
  expect(new Set(keys).size).toBe(keys.length);
});

test.each(Object.entries(CASES))("the answer of %s stays for another view, and never under another name", (_, { ask, args, about, view }) => {
  const before = ask(args);
  for (const next of changes(args, view)) expect(placeholderFor(ask(next).queryKey)("before", before)).toBe("before");
  for (const next of changes(args, about)) expect(placeholderFor(ask(next).queryKey)("before", before)).toBeUndefined();
});

test("lists by environment and time range have keys of their own", () => {
  const keys = ["production", "development"].flatMap((environment) => [
    namesQuery(environment, week).queryKey,
    namesQuery(environment, month).queryKey,
    annotationsQuery(environment).queryKey,
    ...[week, month].flatMap((timeRange) => [PRO, FREE].map((filters) => newestEventsQuery({ environment, filters }, timeRange).queryKey)),
  ]);
  expect(new Set(keys.map((key) => hashKey(key))).size).toBe(keys.length);
});

test("saved filters and those of the address are one question, wherever each of them is", () => {
  const asked = savedWidgetQuery(ofWidget.saved, widget, { filters: PRO });
  const saved = savedWidgetQuery({ ...ofWidget.saved, filters: PRO }, widget, {});
  expect(hashKey(saved.queryKey)).toBe(hashKey(asked.queryKey));
  const ignoring = { ...widget, ignoreDashboardFilters: true };
  expect(hashKey(savedWidgetQuery({ ...ofWidget.saved, filters: PRO }, ignoring, {}).queryKey)).toBe(
    hashKey(savedWidgetQuery(ofWidget.saved, ignoring, {}).queryKey),
  );
});

test("what nobody looks at is forgotten after a change that no key shows", async () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(["old"], 1);
  await forgetAnswers(queryClient);
  expect(queryClient.getQueryData(["old"])).toBeUndefined();
});
