import { expect, test } from "vitest";
import { alertSearchOf } from "./alertPlace.ts";

const BOARD = { environment: "development", filters: [{ key: "plan", op: "eq" as const, value: "pro" }] };
const widget = (type: string, config: object, ignoreDashboardFilters = false) => ({ type, config, ignoreDashboardFilters }) as never;

test("an alert begins with what a metric counts, the filters of its dashboard included", () => {
  const config = { event: "order.paid", measure: "p95", property: "ms", filters: [{ key: "country", op: "exists" }], breakdown: "plan", segmentId: "s" };
  expect(alertSearchOf(BOARD, widget("metric", config))).toEqual({
    env: "development",
    event: "order.paid",
    measure: "p95",
    property: "ms",
    f: ["plan:eq:pro", "country:exists"],
    seg: "s",
  });
  expect(alertSearchOf(BOARD, widget("metric", { event: "x", measure: "count" }, true))).toEqual({ env: "development", event: "x", measure: "count" });
});

test("what is no number of one event has none", () => {
  expect(alertSearchOf(BOARD, widget("metric", { events: "all", measure: "count" }))).toBe(null);
  expect(alertSearchOf(BOARD, widget("funnel", { steps: [] }))).toBe(null);
});
