import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { EventSelection } from "../../api/events.ts";
import { segmentsQuery } from "../../api/segments.ts";
import type { Scope } from "../../scope/useScope.ts";

/** Return which events the address asks for. It is not ready before the filters of its segment are known. */
export function useSelection(scope: Scope, name: string | undefined): { selection: EventSelection; isReady: boolean } {
  const { environment, filters, segmentId } = scope;
  const { data: segments, isError } = useQuery({ ...segmentsQuery, enabled: segmentId !== undefined });
  return useMemo(() => {
    const segment = segments?.find(({ id }) => id === segmentId);
    const selection = { environment, filters: [...(segment?.filters ?? []), ...filters], ...(name === undefined ? {} : { name }) };
    return { selection, isReady: segmentId === undefined || segments !== undefined || isError };
  }, [environment, filters, segmentId, segments, isError, name]);
}
