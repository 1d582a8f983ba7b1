import { expect, test } from "vitest";
import { trendQuestions, trendsOf } from "./trends.ts";

const EVENTS = { environment: "production", timeRange: { timeRange: "7d" }, filters: [{ key: "plan", op: "eq", value: "pro" }], key: "_actor" } as const;
const point = (value: number | null, partial = false) => ({ t: "2026-11-20T00:00:00.000Z", value, ...(partial ? { partial } : {}) });
const answer = (series: object[]) => ({ kind: "multiseries", interval: "day", computedAt: "", series }) as unknown as Parameters<typeof trendsOf>[0][number];

test("one question is about the rows of a page, beside the filters of the list", () => {
  const [question, ...others] = trendQuestions(EVENTS, ["ann", "bob"]);
  expect(others).toEqual([]);
  expect(question).toMatchObject({ environment: "production", timeRange: "7d", type: "metric" });
  expect(question?.config).toEqual({
    events: "all",
    measure: "count",
    overTime: true,
    breakdown: "_actor",
    limit: 50,
    filters: [...EVENTS.filters, { key: "_actor", op: "in", value: ["ann", "bob"] }],
  });
});

test("an answer has at most 50 labels, so that 120 rows are three questions, and no rows none", () => {
  const ids = Array.from({ length: 120 }, (_, index) => `user-${index}`);
  const pages = trendQuestions(EVENTS, ids).map(({ config }) => ("filters" in config ? config.filters.at(-1) : undefined));
  expect(pages.map((filter) => filter && "value" in filter && filter.value)).toEqual([ids.slice(0, 50), ids.slice(50, 100), ids.slice(100)]);
  expect(trendQuestions(EVENTS, [])).toEqual([]);
});

test("each row has its values, and knows which of them are of a part of a bucket", () => {
  const trends = trendsOf([answer([{ label: "ann", points: [point(1, true), point(4), point(2, true)] }]), undefined, answer([{ label: "bob", points: [point(null)] }])]);
  expect(trends.get("ann")).toEqual({ values: [1, 4, 2], partialBuckets: new Set([0, 2]) });
  expect(trends.get("bob")).toEqual({ values: [null], partialBuckets: new Set() });
  expect(trends.get("cat")).toBeUndefined();
});
