import { expect, test } from "vitest";
import type { PublicWidget } from "../api/public.ts";
import examples from "../../../src/tallyroom/server/openapi/examples.json";
import { answerNote } from "./answerNote.ts";
import { drawableWidget } from "./publicWidgets.ts";
import { definitionOf } from "./registry.ts";

const timezone = "Europe/Berlin";

function published(type: string, display: object = {}, title = "Sales", outline = { answer: type, parts: 1 }): PublicWidget {
  return { id: "w", title, type, layout: { w: 6, h: 4 }, position: 0, display, outline };
}

test.each(examples)("$name: $summary is drawn without its config", ({ request, answer }) => {
  const widget = drawableWidget(published(request.type));
  const definition = definitionOf(widget.type);
  const { columns, rows } = definition?.table(answer as never, widget.config, timezone) ?? { columns: [], rows: [] };
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toHaveLength(columns.length);
  expect(columns.map(({ label }) => label).join()).not.toMatch(/undefined|null|all events/);
  expect(answerNote(answer as never)).not.toMatch(/undefined|null/);
});

test("what adds up has a sum, and what does not has a last value", () => {
  expect(drawableWidget(published("metric", { addsUp: true })).type).toBe("metric");
  expect(drawableWidget(published("metric")).type).toBe("formula");
});

test("a widget without a title is called by its kind", () => {
  expect(drawableWidget(published("kpi", {}, "")).title).toBe("Numbers");
  expect(drawableWidget(published("galaxy", {}, "")).title).toBe("galaxy");
});

test("each number of a strip keeps its good direction and its goal", () => {
  const { config, outline } = drawableWidget(published("kpi", { labels: ["a", "b"], goods: ["up", "none"], goals: [9, null] }));
  expect(config).toMatchObject({ items: [{ good: "up", goal: 9 }, { good: "none", goal: null }] });
  expect(outline).toMatchObject({ hasGoals: true });
  expect(drawableWidget(published("kpi", { labels: ["a"] })).config).toMatchObject({ items: [{}] });
});

test.each([
  ["counter", {}, { form: "number", partCount: 6 }],
  ["categorical", { chart: "bar" }, { form: "ranks", partCount: 6 }],
  ["multiseries", {}, { form: "line", partCount: 6 }],
  ["timeseries", { chart: "bar" }, { form: "bars", partCount: 6 }],
  ["galaxy", {}, { form: "text", partCount: 6 }],
])("a metric whose answer is a %s waits in its shape", (answer, display, outline) => {
  expect(drawableWidget(published("metric", display, "Sales", { answer, parts: 6 })).outline).toEqual(outline);
});
