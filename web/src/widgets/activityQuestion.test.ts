import { expect, test } from "vitest";
import type { RangeName } from "../core/timeRanges.ts";
import { activityQuestion } from "./activityQuestion.ts";

const FILTER = { key: "_actor", op: "eq", value: "ann" } as const;
const questionOf = (timeRange: RangeName) => activityQuestion({ environment: "production", timeRange: { timeRange } }, FILTER);

test.each(["7d", "wtd", "last_week"] as const)("the bars of %s are days", (timeRange) => {
  expect(questionOf(timeRange)).toMatchObject({ timeRange, interval: "day" });
});

test.each(["1h", "24h", "today", "30d", "all"] as const)("the server chooses the bars of %s", (timeRange) => {
  expect(questionOf(timeRange)).not.toHaveProperty("interval");
});

test("all events that match the filter count", () => {
  expect(questionOf("7d").config).toEqual({ events: "all", measure: "count", overTime: true, filters: [FILTER] });
});
