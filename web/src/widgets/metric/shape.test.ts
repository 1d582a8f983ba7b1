import { expect, test } from "vitest";
import { displayOf, noteOf, subjectOf, tableOf } from "./shape.ts";

const plays = { event: "track.play", measure: "count" } as const;
const counter = { kind: "counter", value: 1, previous: null, delta: null } as const;

test("a metric's own goal counts where its display is silent", () => {
  const found = displayOf({ ...plays, goal: 5, good: "up", chart: "bar", display: { good: "down", unit: "ms" } });
  expect(found).toEqual({ unit: "ms", good: "down", goal: 5, chart: "bar" });
});

test("the note says what is counted", () => {
  expect(noteOf(plays, counter)).toBe("track.play");
  expect(noteOf({ ...plays, breakdown: "plan" }, { kind: "multiseries", interval: "day", series: [] })).toBe("per day · track.play by plan");
  expect(noteOf({ events: "all", measure: "uniq_actors" }, counter)).toBe("unique actors of all events");
  expect(noteOf({ ...plays, measure: "p95", property: "ms" }, counter)).toBe("95th percentile of ms of track.play");
});

test("only counts and sums add up", () => {
  const adds = (measure: "count" | "sum" | "avg" | "uniq_actors") => subjectOf({ ...plays, measure }, counter).addsUp;
  expect([adds("count"), adds("sum"), adds("avg"), adds("uniq_actors")]).toEqual([true, true, false, false]);
});

test("beside another window, a lone series is this period", () => {
  expect(subjectOf(plays, { kind: "timeseries", interval: "day", points: [], compared: [] }).name).toBe("This period");
  expect(subjectOf(plays, { kind: "timeseries", interval: "day", points: [] }).name).toBe("track.play");
});

test("the greatest id is an id, and how many there are is not", () => {
  const isId = (measure: "max" | "uniq") => tableOf(counter, { ...plays, measure, property: "orderId" }, "UTC").isIdCell;
  expect([isId("max")?.(0, 1), isId("uniq")]).toEqual([true, undefined]);
});
