import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { TimeRange } from "../core/timeRanges.ts";
import type { Filter } from "./filters.ts";
import { type ScopeSearch, filtersOf, timeRangeOf, withFilters, withTimeRange } from "./search.ts";

/** What holds where the address says nothing: what is saved, or what suits the page. */
export interface ScopeDefaults {
  environment?: string;
  timeRange?: TimeRange;
}

/** The part of the data that a page shows. The address carries it; absent there means the default. */
export interface Scope {
  environment: string;
  timeRange: TimeRange;
  /** The filters in the address; a dashboard's saved ones are not among them. */
  filters: Filter[];
  segmentId: string | undefined;
  /** Whether the address asks for another environment, time range, filters or segment than the default. */
  isChanged: boolean;
  setEnvironment: (environment: string) => void;
  setTimeRange: (timeRange: TimeRange | undefined) => void;
  setFilters: (filters: Filter[]) => void;
  setSegment: (id: string | undefined) => void;
  /** Forget what the address asks for; the environment stays. */
  reset: () => void;
}

const WEEK: TimeRange = { timeRange: "7d" };

/** Read the scope of a page from its address, and change it there; each change is one step back in the history. */
export function useScope({ environment = "production", timeRange = WEEK }: ScopeDefaults = {}): Scope {
  const search: ScopeSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return useMemo(() => {
    const changeSearch = (update: (search: ScopeSearch) => ScopeSearch) =>
      void navigate({ to: ".", search: (currentSearch: ScopeSearch) => update(currentSearch) });
    return {
      environment: search.env ?? environment,
      timeRange: timeRangeOf(search) ?? timeRange,
      filters: filtersOf(search),
      segmentId: search.seg,
      isChanged: Boolean(timeRangeOf(search) ?? search.f ?? search.seg ?? (search.env && search.env !== environment)),
      setEnvironment: (env) => changeSearch((currentSearch) => ({ ...currentSearch, env })),
      setTimeRange: (newTimeRange) => changeSearch((currentSearch) => withTimeRange(currentSearch, newTimeRange)),
      setFilters: (filters) => changeSearch((currentSearch) => withFilters(currentSearch, filters)),
      setSegment: (id) =>
        changeSearch(({ seg: _seg, ...currentSearch }) => (id === undefined ? currentSearch : { ...currentSearch, seg: id })),
      reset: () => changeSearch(({ f: _f, seg: _seg, ...currentSearch }) => withTimeRange(currentSearch, undefined)),
    };
  }, [search, navigate, environment, timeRange]);
}
