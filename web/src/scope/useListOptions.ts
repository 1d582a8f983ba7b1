import { useNavigate } from "@tanstack/react-router";
import type { ActivityListOptions, ActorSort } from "../api/activityLists.ts";
import { useEventSelection } from "./useEventSelection.ts";
import type { Scope } from "./useScope.ts";

export interface ListOptions<Sort extends ActorSort> {
  list: Required<ActivityListOptions<Sort>>;
  /** Whether the filters of a segment are known. */
  isReady: boolean;
  /** Sort by a column, by its key. */
  sortBy: (key: string) => void;
}

/** Return what the address asks of a list of actors or groups: its text, its order, its filters and segment. */
export function useListOptions<Sort extends ActorSort>(scope: Scope, search: { q?: string; sort?: Sort }): ListOptions<Sort | "events"> {
  const { q, sort = "events" } = search;
  const navigate = useNavigate();
  const { selection, isReady } = useEventSelection(scope);
  const sortBy = (key: string) =>
    void navigate({
      to: ".",
      search: ({ sort: _sort, ...rest }: { sort?: string }) => (key === "events" ? rest : { ...rest, sort: key }),
      resetScroll: false,
    });
  return { list: { q, sort, filters: selection.filters }, isReady, sortBy };
}
