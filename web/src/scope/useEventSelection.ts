import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { EventSelection } from "../api/events.ts";
import { segmentsQuery } from "../api/segments.ts";
import type { Scope } from "./useScope.ts";

/**
 * Return which events the address asks for, with the filters of its segment. It is not ready before these are known; a
 * deleted segment has none.
 */
export function useEventSelection({ environment, filters, segmentId }: Scope, name?: string): { selection: EventSelection; isReady: boolean } {
  const { data: segments, isError } = useQuery({ ...segmentsQuery, enabled: segmentId !== undefined });
  return useMemo(() => {
    const segment = segments?.find(({ id }) => id === segmentId);
    const selection = { environment, filters: [...(segment?.filters ?? []), ...filters], ...(name === undefined ? {} : { name }) };
    return { selection, isReady: segmentId === undefined || segments !== undefined || isError };
  }, [environment, filters, segmentId, segments, isError, name]);
}
