import type { DataFields } from "../api/widgets.ts";
import { type ScopeSearch, filtersOf, spanOf } from "./search.ts";

/** Return what a request for data carries: the span and the filters that the address has and the dashboard has not. */
export function askedOf(search: ScopeSearch): DataFields {
  const filters = filtersOf(search);
  return { ...spanOf(search), ...(filters.length > 0 ? { filters } : {}) };
}
