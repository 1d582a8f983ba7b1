import { expect, test } from "vitest";
import type { Filter } from "../scope/filters.ts";
import { draftsOf, filtersOf } from "./filterDrafts.ts";

test("what is written becomes filters, and what is incomplete none", () => {
  const drafts = [
    { id: 0, conditions: [{ key: "plan", op: "in" as const, text: "plus, studio," }] },
    { id: 1, conditions: [{ key: "", op: "eq" as const, text: "x" }] },
    { id: 2, conditions: [{ key: "amount", op: "gt" as const, text: "" }] },
    { id: 3, conditions: [{ key: "amount", op: "exists" as const, text: "left over" }] },
    { id: 4, conditions: [{ key: "a", op: "eq" as const, text: "1" }, { key: "", op: "eq" as const, text: "" }] },
    { id: 5, conditions: [{ key: "a", op: "eq" as const, text: "1" }, { key: "b", op: "neq" as const, text: "2" }] },
  ];
  expect(filtersOf(drafts)).toEqual([
    { key: "plan", op: "in", value: ["plus", "studio"] },
    { key: "amount", op: "exists" },
    { key: "a", op: "eq", value: "1" },
    { any: [{ key: "a", op: "eq", value: "1" }, { key: "b", op: "neq", value: "2" }] },
  ]);
});

test("saved filters come back as they were", () => {
  const filters: Filter[] = [
    { key: "plan", op: "in", value: ["plus", "studio"] },
    { any: [{ key: "a", op: "contains", value: "x" }, { key: "b", op: "not_exists" }] },
  ];
  expect(filtersOf(draftsOf(filters))).toEqual(filters);
});
