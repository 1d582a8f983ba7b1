import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { type Event, fetchEvents } from "../../api/events.ts";
import { firstEventAfter, newestId } from "./arrivals.ts";

/** An event and the environment that it came to. */
export interface Arrival {
  event: Event;
  environment: string;
}

const REFETCH_MS = 1_500;
/** Enough to find the first of a burst. */
const FETCH_LIMIT = 50;

/**
 * Wait for an event in any of the environments. Only one that arrived after the page opened counts: the first answer
 * of each environment sets the mark. It goes on while the page is hidden, because the terminal is in front of it.
 */
export function useArrival(environments: readonly string[]): { arrival: Arrival | null; hasFailed: boolean } {
  const [visit] = useState(() => ({ openedMs: Date.now(), markIdByEnvironment: new Map<string, string>(), hasArrived: false }));
  return useQueries({
    queries: environments.map((environment) => ({
      queryKey: ["/v1/events", { environment, after: visit.openedMs }],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Arrival | null> => {
        const { events } = await fetchEvents({ environment, filters: [] }, { timeRange: "7d" }, { limit: FETCH_LIMIT, signal });
        const markId = visit.markIdByEnvironment.get(environment);
        if (markId === undefined) visit.markIdByEnvironment.set(environment, newestId(events));
        const event = markId === undefined ? null : firstEventAfter(events, markId);
        if (event) visit.hasArrived = true;
        return event && { event, environment };
      },
      refetchInterval: () => (visit.hasArrived ? false : REFETCH_MS),
      refetchIntervalInBackground: true,
      gcTime: 0,
      staleTime: 0,
    })),
    combine: (results) => ({
      arrival: results.map(({ data }) => data).find((data) => data) ?? null,
      hasFailed: results.some(({ isError }) => isError),
    }),
  });
}
