import { useNavigate } from "@tanstack/react-router";
import { Button } from "../ui/Button/Button.tsx";
import { State } from "../ui/States/State.tsx";
import { filterInWords } from "./filters.ts";
import type { ScopeSearch } from "./search.ts";
import type { Scope } from "./useScope.ts";

export interface NoMatchesProps {
  /** What would be listed here: "actor". */
  kindName: string;
  /** Where the text is searched: "label or key". */
  searchedPart: string;
  scope: Scope;
  q: string;
  /** Such as "7 days". */
  timeRangeWords: string;
}

/** Return whether the address keeps rows out of a list of actors or groups. */
export const isNarrowedList = ({ filters, segmentId }: Scope, q: string): boolean =>
  q !== "" || filters.length > 0 || segmentId !== undefined;

/** Nothing in the list matches what the address asks for: one press forgets that. */
export function NoMatches({ kindName, searchedPart, scope, q, timeRangeWords }: NoMatchesProps) {
  const navigate = useNavigate();
  const { environment, filters, segmentId } = scope;
  const hasFilters = filters.length > 0 || segmentId !== undefined;
  const segmentWords = segmentId === undefined ? [] : ["in this segment"];
  const filterWords = filters.length > 0 ? [`where ${filters.map(filterInWords).join(" and ")}`] : [];
  const conditions = [
    ...(q === "" ? [] : [`a ${searchedPart} that contains “${q}”`]),
    ...(hasFilters ? [`events ${[...segmentWords, ...filterWords].join(" ")}`] : []),
  ];
  const clear = () => void navigate({ to: ".", search: ({ q: _q, f: _f, seg: _seg, ...rest }: ScopeSearch & { q?: string }) => rest });
  return (
    <State
      title={`No matching ${kindName}s`}
      detail={`No ${kindName} in ${environment} has ${conditions.join(" and ")} (${timeRangeWords}).`}
      action={<Button onClick={clear}>{q === "" ? "Remove filters" : hasFilters ? "Clear search and filters" : "Clear search"}</Button>}
    />
  );
}
