import { type Drawing, drawnAs } from "../widgets/drawings.ts";
import type { Draft, Fields } from "./question.ts";

/** What a drawing may not lose; a question that says no measure counts. */
const ASKED = ["measure", "property", "breakdown", "compare"] as const;

/** Return a question whose answer is drawn as something; undefined if it cannot be with all that the line asks. */
export function drawnWhole(draft: Draft, drawing: Drawing): Draft | undefined {
  const { kind, fields } = draft;
  if (kind === "retention") return drawing === "line" ? { ...draft, fields: { ...fields, display: { chart: drawing } } } : undefined;
  const drawn = drawnAs({ kind, config: fields }, drawing);
  if (!drawn) return undefined;
  const drawnFields: Fields = drawn.config;
  const isWhole = ASKED.every((name) => askedOf(drawnFields, name) === askedOf(fields, name));
  return isWhole ? { ...draft, kind: drawn.kind as Draft["kind"], fields: drawnFields } : undefined;
}

const askedOf = (fields: Fields, name: (typeof ASKED)[number]): unknown => fields[name] ?? (name === "measure" ? "count" : null);
