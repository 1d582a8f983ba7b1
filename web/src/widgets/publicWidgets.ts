import type { PublicWidget } from "../api/public.ts";
import type { Kind, Result, ShownWidget } from "./definition.ts";
import type { Form, Outline } from "./outline.ts";
import { definitionOf } from "./registry.ts";
import { RHYTHMS } from "./retention/shape.ts";

type Display = PublicWidget["display"];

/** What a kind reads of its config besides `display`. The names of what is measured are not public: the title stands for them. */
const FIELDS_BY_KIND: Partial<Record<string, (title: string, display: Display) => object>> = {
  metric: (event) => ({ event, measure: "count", limit: 0 }),
  formula: (expression) => ({ expression }),
  note: (_, { text }) => ({ text }),
  kpi: (_, { goods }) => ({ items: (goods ?? []).map((good) => ({ good })) }),
  histogram: (property) => ({ property }),
};

/**
 * Return a public widget as one that can be drawn.
 *
 * A metric whose parts do not add up, such as an average, is drawn as a formula is: its labels have no shares of a whole.
 */
export function drawableWidget({ id, title, type, layout, display }: PublicWidget): ShownWidget {
  const name = title || (definitionOf(type)?.label ?? type);
  const drawnKind = type === "metric" && display.addsUp !== true ? "formula" : type;
  const config = { ...FIELDS_BY_KIND[drawnKind]?.(name, display), display };
  return { id, title: name, type: drawnKind as Kind, config, layout, outline: publicOutline(type, layout, display) };
}

/** Parts of a funnel, a cohort table or a list whose config is not public. */
const USUAL_PARTS = 4;
const LOW_ROWS = 2;
const FORMS_BY_CHART: Partial<Record<NonNullable<Display["chart"]>, Form>> = { bar: "bars", list: "ranks", number: "number" };
const FORMS_BY_KIND: Partial<Record<string, Form>> = {
  kpi: "numbers", funnel: "funnel", retention: "retention", histogram: "histogram", heatmap: "heatmap", table: "table", note: "text", external: "number",
};

/** Return what a public page knows of an answer: how many numbers a strip has, and of a metric how it is drawn. */
function publicOutline(type: string, { h }: PublicWidget["layout"], { chart, labels }: Display): Outline {
  const measuredForm = (chart && FORMS_BY_CHART[chart]) ?? (h <= LOW_ROWS ? "number" : "line");
  return { form: FORMS_BY_KIND[type] ?? measuredForm, partCount: labels?.length ?? USUAL_PARTS };
}

/** Say of a public answer what its title does not: "per day", "actors", "weekly"; "" if there is nothing to say. */
export function noteOf(answer: Result): string {
  switch (answer.kind) {
    case "timeseries":
    case "multiseries":
      return `per ${answer.interval}`;
    case "funnel":
      return answer.count === "group" ? "groups" : "actors";
    case "retention":
      return RHYTHMS[answer.granularity];
    default:
      return "";
  }
}
