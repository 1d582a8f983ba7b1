import { expect, test } from "vitest";
import { alertSearchOf, pointAlertSearchOf } from "./alertPlace.ts";

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

test("one number of several has its own question", () => {
  const config = { items: [{ event: "a", measure: "count" }, { event: "b", measure: "sum", property: "total" }], segmentId: "s" };
  expect(pointAlertSearchOf(BOARD, widget("kpi", config), { item: 1 }, [])).toEqual({ env: "development", event: "b", measure: "sum", property: "total", f: ["plan:eq:pro"], seg: "s" });
  expect(pointAlertSearchOf(BOARD, widget("kpi", config), { item: 9 }, [])).toBe(null);
});

test("a label and the filters of the address come last", () => {
  const filters = [{ key: "country", op: "eq" as const, value: "AT" }];
  expect(pointAlertSearchOf(BOARD, widget("metric", { event: "x", measure: "count" }), { label: "AT" }, filters)?.f).toEqual(["plan:eq:pro", "country:eq:AT"]);
});
