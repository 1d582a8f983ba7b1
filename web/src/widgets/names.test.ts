import { expect, test } from "vitest";
import type { Names } from "./definition.ts";
import { ALL_EVENTS, breakdownOffer, selectionOfName, selectionOfText, withMeasure } from "./names.ts";

const NAMES: Names = {
  environment: "production",
  areKnown: true,
  events: [{ name: "play", count: 3 }],
  properties: [
    { key: "plan", types: ["string"], examples: ["plus", "free", "team"] },
    { key: "ms", types: ["number"], examples: [12, 7] },
  ],
  groupKeys: [],
  segments: [],
  sources: [],
};

test("a name, several names and no name are selections of events", () => {
  expect(selectionOfName("play")).toEqual({ event: "play", events: null });
  expect(selectionOfName(ALL_EVENTS)).toEqual({ event: null, events: "all" });
  expect(selectionOfText("play, skip")).toEqual({ event: null, events: ["play", "skip"] });
  expect(selectionOfText(" play")).toEqual({ event: "play", events: null });
  expect(selectionOfText("")).toEqual({ event: null, events: "all" });
});

test("another measure keeps a property that fits, and takes the first with numbers otherwise", () => {
  const byPlan = { event: "play", measure: "uniq", property: "plan" } as const;
  expect(withMeasure(byPlan, "p95", NAMES)).toEqual({ event: "play", events: null, measure: "p95", property: "ms" });
  expect(withMeasure({ ...byPlan, measure: "sum", property: "ms" }, "avg", NAMES).property).toBe("ms");
  expect(withMeasure(byPlan, "count", NAMES).property).toBeNull();
});

test("properties are offered with their types and the first examples", () => {
  const details = breakdownOffer(NAMES).options.map(({ value, detail }) => [value, detail]);
  expect(details).toContainEqual(["plan", "string · plus, free"]);
  expect(details).toContainEqual(["ms", "number · 12, 7"]);
});
