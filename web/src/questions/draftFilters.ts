import type { Filter } from "../scope/filters.ts";
import type { Draft } from "./question.ts";
import { LETTERS } from "./readExpression.ts";

/** Return a question all of whose parts have these filters too: a `where` at the end is about the whole line. */
export function withFilters(draft: Draft, filters: readonly Filter[]): Draft {
  const { kind, fields } = draft;
  const add = <Part extends { filters?: Filter[] }>(part: Part): Part => ({ ...part, filters: [...(part.filters ?? []), ...filters] });
  switch (kind) {
    case "formula": {
      const parts = LETTERS.map((letter) => [letter, fields[letter]] as const);
      return { ...draft, fields: { ...fields, ...Object.fromEntries(parts.map(([letter, part]) => [letter, part && add(part)])) } };
    }
    case "kpi":
      return { ...draft, fields: { ...fields, items: (fields.items ?? []).map(add) } };
    case "funnel":
      return { ...draft, fields: { ...fields, steps: (fields.steps ?? []).map(add) } };
    case "retention": {
      const { cohortFilters = [], returnFilters = [] } = fields;
      return { ...draft, fields: { ...fields, cohortFilters: [...cohortFilters, ...filters], returnFilters: [...returnFilters, ...filters] } };
    }
    default:
      return { ...draft, fields: add(fields) };
  }
}
