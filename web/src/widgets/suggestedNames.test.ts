import { expect, test } from "vitest";
import { withSuggestion } from "./suggestedNames.ts";

const EVENT = { code: "unknown_event", message: "", name: "orders", suggestion: "order" };
const PROPERTY = { code: "unknown_property", message: "", name: "plans", suggestion: "plan" };

test("an event that was never seen is replaced wherever it is asked for", () => {
  const asked = {
    event: "orders",
    title: "orders",
    steps: [{ event: "orders", filters: [{ key: "orders", op: "eq", value: "orders" }] }, { events: ["orders", "paid"] }],
    cohortEvent: "orders",
    returnEvent: null,
    formula: { a: { event: "orders", measure: "count" }, expression: "a" },
  };
  expect(withSuggestion(asked, EVENT)).toEqual({
    event: "order",
    title: "orders",
    steps: [{ event: "order", filters: [{ key: "orders", op: "eq", value: "orders" }] }, { events: ["order", "paid"] }],
    cohortEvent: "order",
    returnEvent: null,
    formula: { a: { event: "order", measure: "count" }, expression: "a" },
  });
});

test("a property keeps the prefix that it needs", () => {
  const asked = { event: "plans", property: "plans", breakdown: "prop:plans", columns: ["time", "prop:plans"], filters: [{ any: [{ key: "plans", op: "exists" }] }] };
  expect(withSuggestion(asked, PROPERTY)).toEqual({
    event: "plans",
    property: "plan",
    breakdown: "prop:plan",
    columns: ["time", "prop:plan"],
    filters: [{ any: [{ key: "plan", op: "exists" }] }],
  });
  expect(withSuggestion({ property: "nme" }, { ...PROPERTY, name: "nme", suggestion: "name" })).toEqual({ property: "prop:name" });
});

test("without a suggestion nothing changes", () => {
  const asked = { event: "orders" };
  expect(withSuggestion(asked, { code: "unknown_event", message: "", name: "orders" })).toBe(asked);
});
