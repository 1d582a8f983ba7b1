import { expect, test } from "vitest";
import type { ActivityEntry } from "../../api/alerts.ts";
import { type Rule, activityInWords, delayInWords, firingInWords, gapInWords, joinPieces, ruleInWords, visibleStatus } from "./words.ts";

const RULE: Rule = {
  event: "track.error",
  measure: "count",
  property: null,
  filters: [],
  formula: null,
  segmentId: null,
  condition: "above",
  threshold: 25,
  windowMinutes: 15,
};
const plain = (text: string) => text.replaceAll("\u00a0", " ");
const words = (change: Partial<Rule>, segment: string | null = null) => plain(joinPieces(ruleInWords({ ...RULE, ...change }, segment)));

test.each<[Partial<Rule>, string]>([
  [{}, "track.error above 25 in 15 min"],
  [{ condition: "below", threshold: 0.5, windowMinutes: 120 }, "track.error below 0.5 in 2 h"],
  [{ measure: "p95", property: "latency_ms", threshold: 1200, windowMinutes: 60 }, "p95 of latency_ms of track.error above 1,200 in 60 min"],
  [{ measure: "uniq_actors" }, "actors of track.error above 25 in 15 min"],
  [{ condition: "rises", threshold: 40, windowMinutes: 60 }, "track.error up 40 % vs. the previous hour"],
  [{ condition: "drops", threshold: 40 }, "track.error down 40 % vs. the previous 15 min"],
  [{ condition: "nodata", threshold: null, windowMinutes: 10 }, "track.error has no data in 10 min"],
  [{ condition: "anomaly", threshold: 3, windowMinutes: 60 }, "track.error 3 deviations from its usual hour"],
  [{ filters: [{ key: "shard", op: "eq", value: 14 }, { key: "plan", op: "exists" }] }, "track.error where shard is 14 and plan is set above 25 in 15 min"],
])("a rule in words %#", (change, expected) => expect(words(change)).toBe(expected));

test("a segment is named, and a formula has its parts in the place of the letters", () => {
  expect(words({}, "Paying servers")).toBe("track.error within Paying servers above 25 in 15 min");
  const formula = {
    a: { event: "refund", measure: "count" as const },
    b: { events: ["order", "renewal"], measure: "sum" as const, property: "total" },
    expression: "a / (b + 1) * 100",
  };
  const found = words({ event: null, measure: null, filters: null, formula, threshold: 20 });
  expect(found).toBe("refund / (sum of total of order, renewal + 1) * 100 above 20 in 15 min");
});

test("names and numbers carry the meaning of a rule", () => {
  const pieces = ruleInWords(RULE, null);
  expect(pieces.filter(({ look }) => look === "strong").map(({ text }) => text)).toEqual(["track.error", "25"]);
});

test.each<[Partial<Rule>, number | null, string]>([
  [{}, 61, "61 track.error in 15 minutes. The limit is 25."],
  [{ condition: "below" }, 3, "3 track.error in 15 minutes. The minimum is 25."],
  [{ condition: "nodata", threshold: null }, 0, "No track.error in the last 15 minutes."],
  [{ measure: "avg", property: "ms" }, 1234.5, "average ms of track.error is 1,234.5 over 15 minutes. The limit is 25."],
  [{ condition: "rises", threshold: 40 }, 61, "61 track.error in 15 minutes. That is more than 40 % above the previous 15 minutes."],
  [{}, null, "The limit is 25."],
])("why an alert fires %#", (change, lastValue, expected) => {
  expect(plain(joinPieces(firingInWords({ ...RULE, ...change, lastValue })))).toBe(expected);
});

test("why an alert keeps its status", () => {
  expect(plain(delayInWords(12 * 60_000))).toBe(
    "Not evaluated for 12 min: the newest events are still on their way to the event store. The status stays as it is until they arrive.",
  );
});

test("why an incident stays open without a value", () => {
  const rule = { ...RULE, measure: "avg" as const, property: "ms" };
  expect(plain(joinPieces(gapInWords(rule, 12 * 60_000)))).toBe(
    "average ms of track.error has had no value for 12 min. The incident stays open until a value arrives or you resolve it.",
  );
});

test("what an alert did in words", () => {
  const fired = { id: "1", alertId: "a", alertName: "A", severity: "critical", at: "", type: "fired", value: 44, threshold: 25, condition: "above" } satisfies ActivityEntry;
  expect(activityInWords(fired, null)).toBe("fired at 44, limit 25");
  expect(activityInWords({ ...fired, condition: "nodata", value: 0, threshold: null }, null)).toBe("fired, nothing arrived");
  expect(plain(activityInWords({ ...fired, type: "resolved", value: 19 }, 22 * 60_000))).toBe("resolved at 19 after 22 min");
  expect(activityInWords({ ...fired, type: "resolved", value: null }, null)).toBe("resolved");
  expect(activityInWords({ ...fired, type: "nodata", value: null }, null)).toBe("no value, still open");
});

const MOMENT = "2026-11-20T12:00:00.000Z";

test.each([
  ["ok", null, null, "fresh"],
  ["ok", MOMENT, null, "unseen"],
  ["ok", MOMENT, MOMENT, "ok"],
  ["firing", MOMENT, null, "firing"],
  ["nodata", MOMENT, null, "nodata"],
  ["paused", null, null, "paused"],
] as const)("%s, evaluated at %s, with data at %s, is %s", (status, lastEvaluatedAt, lastDataAt, expected) => {
  expect(visibleStatus({ status, lastEvaluatedAt, lastDataAt })).toBe(expected);
});
