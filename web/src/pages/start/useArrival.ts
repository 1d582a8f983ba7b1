import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { type Event, fetchEvents } from "../../api/events.ts";
import { firstAfter, newestId } from "./arrivals.ts";

/** An event and the environment that it came to. */
export interface Arrival {
  event: Event;
  environment: string;
}

const EVERY_MS = 1_500;
/** Enough to find the first of a burst. */
const LOOKED_AT = 50;

/**
 * Wait for an event in any of the environments. Only one that arrived after the page opened counts: the first answer
 * of each environment sets the mark. It goes on while the page is hidden, because the terminal is in front of it.
 */
export function useArrival(environments: readonly string[]): { arrival: Arrival | null; hasFailed: boolean } {
  const [visit] = useState(() => ({ opened: Date.now(), marks: new Map<string, string>(), isOver: false }));
  return useQueries({
    queries: environments.map((environment) => ({
      queryKey: ["/v1/events", { environment, after: visit.opened }],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Arrival | null> => {
        const { events } = await fetchEvents({ environment, filters: [] }, { timeRange: "7d" }, { limit: LOOKED_AT, signal });
        const mark = visit.marks.get(environment);
        if (mark === undefined) visit.marks.set(environment, newestId(events));
        const event = mark === undefined ? null : firstAfter(events, mark);
        if (event) visit.isOver = true;
        return event && { event, environment };
      },
      refetchInterval: () => (visit.isOver ? false : EVERY_MS),
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
