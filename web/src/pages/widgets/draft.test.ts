import { expect, test } from "vitest";
import type { Definition, Kind, Start } from "../../widgets/definition.ts";
import { configOf, draftAfter, newDraft } from "./draft.ts";

const START: Start = { event: "order", numbers: "amount" };

const definition = (kind: Kind): Definition<Kind> =>
  ({ kind, label: kind, first: ({ event }: Start) => ({ event, of: kind }), size: { w: 4, h: 2 } }) as never;

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
