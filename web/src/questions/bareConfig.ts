import type { Filter } from "../scope/filters.ts";
import { comparisonChoice, takesProperty, type MeasuredEvents } from "../widgets/words.ts";
import type { Fields, LineKind } from "./question.ts";

/** What the API takes for granted where a config is silent. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  limit: 10, interval: "auto", windowHours: 168, windowFrom: "previous", count: "actor", granularity: "day", periods: 8, buckets: 20, rows: 25,
};

/**
 * Return the config of a question without what the API takes for granted, and without what a line cannot say: units,
 * decimals, goals, what is better, axes, legends and colors. Two configs that ask the same have the same bare config.
 */
export function bareConfig(kind: LineKind, fields: Fields): Fields {
  const { display: _display, chart: _chart, goal: _goal, good: _good, ...question } = fields;
  return saidFields({ ...question, ...bareParts(kind, fields), ...bareDrawing(kind, fields) }) as Fields;
}

function bareParts(kind: LineKind, fields: Fields): Partial<Record<keyof Fields, unknown>> {
  switch (kind) {
    case "metric":
      return fields.measure && takesProperty(fields.measure) ? {} : { property: null };
    case "formula":
      return Object.fromEntries((["a", "b", "c", "d"] as const).map((letter) => [letter, fields[letter] && barePart(fields[letter])]));
    case "kpi":
      return { items: fields.items?.map(({ goal: _goal, good: _good, ...item }) => barePart(item)), compare: bareCompare(fields.compare, "previous") };
    case "funnel":
      return { steps: fields.steps?.map(saidFields), exclude: fields.exclude?.map(saidFields) };
    case "table":
    case "heatmap":
      return fields.event || fields.events ? {} : { events: "all" };
    default:
      return {};
  }
}

const barePart = (part: MeasuredEvents & { filters?: Filter[] }): object => saidFields(takesProperty(part.measure) ? part : { ...part, property: null });

/** Return the fields of a metric or a formula that depend on how its answer is drawn. */
function bareDrawing(kind: LineKind, fields: Fields): Partial<Record<keyof Fields, unknown>> {
  const { breakdown = null, overTime = false } = fields;
  const chart = fields.display?.chart ?? fields.chart ?? null;
  if (kind === "retention") return chart === "line" ? { display: { chart } } : {};
  if (kind !== "metric" && kind !== "formula") return {};
  const isRanked = breakdown !== null && !overTime;
  return {
    ...(breakdown === null ? { limit: null, rest: null } : {}),
    ...(overTime ? {} : { interval: null }),
    compare: isRanked ? null : bareCompare(fields.compare, overTime ? "none" : "previous"),
    ...(overTime && (chart === "area" || chart === "bar") ? { display: { chart } } : {}),
  };
}

/** Return a comparison that is not the one of its shape. */
function bareCompare(compare: Fields["compare"], fallback: "none" | "previous"): Fields["compare"] {
  if (comparisonChoice(compare, fallback) === fallback) return null;
  return compare === true ? "previous" : compare;
}

/** Return the fields that say something else than what the API takes for granted; a comparison with nothing does. */
function saidFields<Value extends object>(fields: Value): Partial<Value> {
  const isSaid = ([name, value]: [string, unknown]) => {
    const isSilent = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
    return !isSilent && (value !== false || name === "compare") && DEFAULTS[name] !== value;
  };
  return Object.fromEntries(Object.entries(fields).filter(isSaid)) as Partial<Value>;
}
