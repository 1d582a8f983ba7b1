import type { PublicWidget } from "../api/public.ts";
import type { Kind, ShownWidget } from "./definition.ts";
import type { Form, Outline } from "./outline.ts";
import { definitionOf } from "./registry.ts";

type Display = PublicWidget["display"];

/** What a kind reads of its config besides `display`. The names of what is measured are not public: the title stands for them. */
const FIELDS_BY_KIND: Partial<Record<string, (title: string, display: Display) => object>> = {
  metric: (event) => ({ event, measure: "count", limit: 0 }),
  formula: (expression) => ({ expression }),
  note: (_, { text }) => ({ text }),
  kpi: (_, { labels, goods, goals }) => ({ items: (labels ?? []).map((_label, index) => ({ good: goods?.[index], goal: goals?.[index] })) }),
  histogram: (property) => ({ property }),
};

/**
 * Return a public widget as one that can be drawn.
 *
 * A metric whose parts do not add up, such as an average, is drawn as a formula is: its labels have no shares of a whole.
 */
export function drawableWidget({ id, title, type, layout, display, outline }: PublicWidget): ShownWidget {
  const name = title || (definitionOf(type)?.label ?? type);
  const drawnKind = type === "metric" && display.addsUp !== true ? "formula" : type;
  const config = { ...FIELDS_BY_KIND[drawnKind]?.(name, display), display };
  return { id, title: name, type: drawnKind as Kind, config, layout, outline: publicOutline(outline, display) };
}

const FORMS_BY_ANSWER: Partial<Record<string, Form>> = {
  counter: "number", timeseries: "line", multiseries: "line", categorical: "ranks", kpi: "numbers", funnel: "funnel", retention: "retention", histogram: "histogram", heatmap: "heatmap", table: "table", external: "number",
};

/** Return what a public page knows of an answer: its shape and its parts; a kind that is newer than the page has only words. */
function publicOutline({ answer, parts = 1 }: PublicWidget["outline"], { chart, goals }: Display): Outline {
  const form = FORMS_BY_ANSWER[answer] ?? "text";
  return { form: form === "line" && chart === "bar" ? "bars" : form, partCount: parts, ...(goals ? { hasGoals: true } : {}) };
}
