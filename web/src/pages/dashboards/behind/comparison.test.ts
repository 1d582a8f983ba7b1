import { expect, test } from "vitest";
import type { Differences, Spot, Widget } from "../../../api/widgets.ts";
import type { Interval } from "../../../core/time.ts";
import { comparisonInWords, contrastInWords, isPart, shareInWords } from "./comparison.ts";

const sentence = (type: Widget["type"], spot: Spot, interval?: Interval, unit: Differences["unit"] = "event", events = 205) =>
  comparisonInWords({ unit, events, of: 4_120, properties: [] }, type, spot, interval, "24 hours");

test.each<[string, string]>([
  [sentence("metric", { t: "" }, "hour"), "The 205 events of this hour, against all 4,120 of the question (24 hours)."],
  [sentence("metric", { label: "JFK" }), "The 205 events with this value, against all 4,120 of the question (24 hours)."],
  [sentence("formula", { t: "", label: null, kind: "none" }, "day"), "The 205 events of this day without a value, against all 4,120 of the question (24 hours)."],
  [sentence("metric", { label: null, kind: "other" }, undefined, "event", 1), "The 1 event with any other value, against all 4,120 of the question (24 hours)."],
  [sentence("funnel", { step: 2, outcome: "stopped" }, undefined, "actor"), "The 205 actors of this step, against all 4,120 that reached the first step (24 hours)."],
  [sentence("retention", { cohort: "", period: 1 }, "week", "group"), "The 205 groups of this period, against all 4,120 of the cohort (24 hours)."],
  [sentence("histogram", { bucket: 3 }), "The 205 events in this range of values, against all 4,120 of the question (24 hours)."],
  [sentence("heatmap", { cell: [0, 3] }), "The 205 events in this hour of the week, against all 4,120 of the question (24 hours)."],
])("%s", (words, expected) => {
  expect(words).toBe(expected);
});

test("one difference in words, for those who do not see its bar", () => {
  const difference = { key: "plan", value: "pro", count: 180, share: 0.88, everybody: 0.15, lift: 5.87, filter: { key: "plan", op: "eq" as const, value: "pro" } };
  expect(contrastInWords(difference)).toBe("of these, 15\u2009% of all, 5.9\u2009× as often");
  expect([shareInWords(0.88), shareInWords(0.004), shareInWords(1)]).toEqual(["88\u2009%", "<1\u2009%", "100\u2009%"]);
});

test("only a part of an answer can be compared with all of it", () => {
  expect([isPart("metric", {}), isPart("metric", { t: "" }), isPart("kpi", { item: 0 }), isPart("funnel", { step: 1, outcome: "reached" })]).toEqual([false, true, false, true]);
});
