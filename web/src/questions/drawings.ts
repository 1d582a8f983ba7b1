import type { DRAWINGS } from "./language.ts";
import type { Draft } from "./question.ts";
import { DEFAULT_COLUMNS } from "./readSubject.ts";

export type Drawing = (typeof DRAWINGS.meanings)[number]["value"];

/** Return a question whose answer is drawn as something; undefined if it cannot be. */
export function drawnAs(draft: Draft, drawing: Drawing): Draft | undefined {
  const { kind, fields } = draft;
  const { event = null, events = null, filters = [], segmentId = null, breakdown, compare } = fields;
  const isPlainCount = kind === "metric" && fields.measure === "count" && !breakdown;
  const selection = { event, events, filters, segmentId };
  if (kind === "retention") return drawing === "line" ? { ...draft, fields: { ...fields, display: { chart: drawing } } } : undefined;
  switch (drawing) {
    case "table":
      return isPlainCount ? { ...draft, kind: "table", fields: { ...selection, columns: DEFAULT_COLUMNS } } : undefined;
    case "heatmap":
      return isPlainCount ? { ...draft, kind: "heatmap", fields: selection } : undefined;
    case "number":
      return breakdown ? undefined : { ...draft, fields: { ...fields, overTime: false } };
    case "list":
      return breakdown && !compare ? { ...draft, fields: { ...fields, overTime: false } } : undefined;
    default:
      return { ...draft, fields: { ...fields, overTime: true, display: { chart: drawing } } };
  }
}
