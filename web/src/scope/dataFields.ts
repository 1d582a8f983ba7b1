import type { DataFields } from "../api/widgets.ts";
import { type ScopeSearch, filtersOf, timeRangeOf } from "./search.ts";

/** Return what a request for data carries: the time range and the filters that the address has and the dashboard has not. */
export function dataFieldsOf(search: ScopeSearch): DataFields {
  const filters = filtersOf(search);
  return { ...timeRangeOf(search), ...(filters.length > 0 ? { filters } : {}) };
}
