import { expect, test } from "vitest";
import type { Definition, Kind, Start } from "../../widgets/definition.ts";
import { configOf, draftAfter, draftOf, newDraft } from "./draft.ts";

const START: Start = { event: "order", nextEvent: "refund", numberProperty: "amount" };

const definition = (kind: Kind, size = { w: 4, h: 2 }): Definition<Kind> =>
  ({ kind, label: kind, initialConfig: ({ event }: Start) => ({ event, of: kind }), size }) as never;

test("a new draft begins as its kind begins", () => {
  const draft = newDraft(definition("metric"), START);
  expect(configOf(draft)).toEqual({ event: "order", of: "metric" });
  expect(draft.layout).toEqual({ w: 4, h: 2 });
});

test("another kind and back loses nothing", () => {
  const draft = draftAfter(newDraft(definition("metric"), START), { type: "config", config: { event: "x" } });
  const other = draftAfter(draft, { type: "kind", definition: definition("heatmap"), start: START });
  expect(configOf(other)).toEqual({ event: "order", of: "heatmap" });
  const back = draftAfter(other, { type: "kind", definition: definition("metric"), start: START });
  expect(configOf(back)).toEqual({ event: "x" });
});

test("rows are published only once somebody says so, and a look at another kind keeps that", () => {
  const draft = newDraft(definition("table"), START);
  expect(draft.publishRows).toBe(false);
  const on = draftAfter(draft, { type: "publishRows", isOn: true });
  const other = draftAfter(on, { type: "kind", definition: definition("heatmap"), start: START });
  expect(draftAfter(other, { type: "kind", definition: definition("table"), start: START }).publishRows).toBe(true);
});

test("a new widget takes the size of its kind, and a saved one keeps its own", () => {
  const numbers = { type: "kind", definition: definition("kpi", { w: 12, h: 2 }), start: START } as const;
  expect(draftAfter(newDraft(definition("metric"), START), numbers).layout).toEqual({ w: 12, h: 2 });
  const saved = draftOf({ type: "metric", title: "", config: {}, layout: { w: 3, h: 6 } } as never);
  expect(draftAfter(saved, numbers).layout).toEqual({ w: 3, h: 6 });
});
