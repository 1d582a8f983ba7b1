import type { TimeRange } from "../../../core/timeRanges.ts";
import { type ScopeSearch, withFilters, withTimeRange } from "../../../scope/search.ts";
import type { Selection } from "./selection.ts";

/** Return the address of some events on their own page. */
export function eventsSearchOf(environment: string, { name, filters, segmentId }: Selection, timeRange: TimeRange): ScopeSearch & { name?: string } {
  const search = withFilters(withTimeRange({ env: environment }, timeRange), filters);
  return { ...search, ...(segmentId === undefined ? {} : { seg: segmentId }), ...(name === undefined ? {} : { name }) };
}
