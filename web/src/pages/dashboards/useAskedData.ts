import { getRouteApi } from "@tanstack/react-router";
import { spanOf } from "../../scope/search.ts";
import type { Scope } from "../../scope/useScope.ts";

const route = getRouteApi("/member/d/$id");

/** What a request for data carries: the span and the filters that the address has and the dashboard has not. */
export function useAskedData({ filters }: Scope) {
  const search = route.useSearch();
  const span = spanOf(search);
  return { ...span, ...(filters.length > 0 ? { filters } : {}) };
}
