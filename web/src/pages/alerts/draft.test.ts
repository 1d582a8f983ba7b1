import { expect, test } from "vitest";
import type { Alert } from "../../api/alerts.ts";
import { ApiError } from "../../api/errors.ts";
import {
  draftOf,
  fieldsOf,
  missingComplaintsOf,
  nameOf,
  newDraft,
  parseNumber,
  refusalsIn,
  switchFormula,
  watchedFieldsOf,
} from "./draft.ts";

const ALERT: Alert = {
  id: "1",
  name: "Errors",
  environment: "production",
  event: "track.error",
  measure: "count",
  property: null,
  filters: [{ key: "shard", op: "eq", value: 14 }],
  formula: null,
  segmentId: "s",
  condition: "above",
  threshold: 25,
  windowMinutes: 15,
  severity: "critical",
  cooldownMinutes: 30,
  enabled: true,
  channelIds: ["c"],
  status: "ok",
  noDataSince: null,
  delayedSince: null,
  lastEvaluatedAt: null,
  lastDataAt: null,
  lastValue: null,
  lastDeliveries: [],
  createdAt: "",
  updatedAt: "",
};
const FORMULA = { a: { event: "refund", measure: "count" as const }, b: { event: "order", measure: "count" as const }, expression: "a / b * 100" };

test("a saved alert is saved again as it was", () => {
  const { id: _, enabled: _e, status: _s, lastEvaluatedAt: _l, lastDataAt: _d, lastValue: _v, lastDeliveries: _ld, noDataSince: _n, delayedSince: _dl, createdAt: _c, updatedAt: _u, formula: _f, ...fields } = ALERT;
  expect(fieldsOf(draftOf(ALERT))).toEqual(fields);
});

test("a formula keeps its parts, and nothing stands beside it", () => {
  const saved = { ...ALERT, event: null, measure: null, filters: null, formula: FORMULA };
  const watched = watchedFieldsOf(draftOf(saved));
  expect(watched.formula).toEqual(FORMULA);
  expect(Object.keys(watched)).not.toContain("event");
  expect(nameOf({ ...draftOf(saved), name: "" })).toBe("refund / order * 100 above 25 in 15 min");
});

test("a property goes with a measure that needs one, and a threshold with a condition that does", () => {
  const draft = { ...newDraft({ environment: "production", event: "x" }), property: "ms" };
  expect(watchedFieldsOf(draft).property).toBe(null);
  expect(watchedFieldsOf({ ...draft, measure: "p95" }).property).toBe("ms");
  expect(watchedFieldsOf({ ...draft, condition: "nodata" }).threshold).toBe(null);
});

test("what is missing is said where it is", () => {
  const draft = newDraft({ environment: "production", event: "" });
  expect(missingComplaintsOf({ ...draft, threshold: "many", measure: "sum" })).toEqual({
    event: "Choose the event to watch.",
    property: "Choose the property to measure.",
    threshold: "The threshold must be a number, such as 25.",
  });
  expect(missingComplaintsOf({ ...draft, event: "x", threshold: "", condition: "nodata" })).toEqual({});
  expect(missingComplaintsOf({ ...draft, event: "x", threshold: "", isLimitTyped: false })).toEqual({ threshold: "Enter a threshold." });
});

test("what the server refuses is said where it is", () => {
  const details = [
    { path: ["filters", 0, "value"], message: "is not a regular expression" },
    { path: ["threshold"], message: "must not be negative for rises" },
  ];
  expect(refusalsIn(new ApiError(400, { message: "no", details }))).toEqual({
    filters: "A filter is not a regular expression.",
    threshold: "The threshold must not be negative for rises.",
  });
  expect(refusalsIn(new Error("x"))).toEqual({});
});

test.each([["25", 25], [" 1.5 ", 1.5], ["1,5", 1.5], ["-3", -3], ["", null], ["x", null], ["1,000,000", null]])("%s as a number", (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test("an alert without a name is called by its rule, as long as a name may be", () => {
  expect(nameOf({ ...draftOf(ALERT), name: " " })).toBe("track.error where shard is 14 above 25 in 15 min");
  expect(Array.from(nameOf(newDraft({ environment: "production", event: "x".repeat(128) })))).toHaveLength(120);
});

test("a formula begins with what one measure has, and each is kept while the other is looked at", () => {
  const draft = draftOf(ALERT);
  const formula = { ...draft, ...switchFormula(draft) };
  expect(formula.formula?.a).toEqual({ event: "track.error", measure: "count", property: null, filters: ALERT.filters });
  expect({ ...formula, ...switchFormula(formula) }).toEqual({ ...draft, formula: formula.formula });
  const saved = draftOf({ ...ALERT, event: null, measure: null, filters: null, formula: FORMULA });
  expect({ ...saved, ...switchFormula(saved) }.event).toBe("refund");
});
