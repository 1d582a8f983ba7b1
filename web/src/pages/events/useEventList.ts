import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { type Event, type EventPage, type EventSelection, fetchEvents, newestEventsQuery } from "../../api/events.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { type Live, useLiveEvents } from "../../live/useLiveEvents.ts";
import { useNow } from "../../ui/useNow.ts";
import { NO_ROWS, type Rows, rowsOf, withArrived, withOlder, withoutEvent } from "./rows.ts";
import { reachesNow, timeRangeStart } from "./timeRangeStart.ts";

export interface EventListOptions {
  selection: EventSelection;
  timeRange: TimeRange;
  workspaceId: string;
  timezone: string;
  /** Hold new events back. */
  paused: boolean;
  /** Whether everything is known that the selection depends on. */
  ready: boolean;
}

export interface EventList {
  rows: Rows;
  /** What the server has to say about them. */
  notices: EventPage["notices"];
  live: Live;
  /** Whether new events belong to the time range. */
  follows: boolean;
  isPending: boolean;
  error: Error | null;
  reload: () => void;
  loadOlder: () => Promise<void>;
  /** Show what waits; after a look far back, the newest page again. */
  showNew: () => void;
  remove: (id: string) => void;
}

/** The rows of the events page: its newest page, what arrives, and what is loaded behind. */
export function useEventList({ selection, timeRange, workspaceId, timezone, paused, ready }: EventListOptions): EventList {
  const { data, error, isPending, refetch } = useQuery({ ...newestEventsQuery(selection, timeRange), enabled: ready });
  const [list, setList] = useState<{ page: EventPage | undefined; rows: Rows }>({ page: undefined, rows: NO_ROWS });
  if (data !== list.page) setList({ page: data, rows: data ? rowsOf(data, timeRange) : NO_ROWS });
  const change = (next: (rows: Rows) => Rows) => setList((current) => ({ ...current, rows: next(current.rows) }));

  const follows = reachesNow(timeRange, useNow());
  const live = useLiveEvents(ready && follows ? { ...selection, workspaceId } : null, {
    paused: paused || !list.rows.atHead || data === undefined,
    onEvents: (events: Event[]) => change((rows) => withArrived(rows, events, timeRangeStart(timeRange, Date.now(), timezone))),
  });
  useCatchUp(live.opened, paused, () => void refetch());

  return {
    rows: list.rows,
    notices: data?.notices,
    live,
    follows,
    isPending,
    error,
    reload: () => void refetch(),
    remove: (id) => change((rows) => withoutEvent(rows, id)),
    loadOlder: async () => {
      const { page, of } = await olderPage(list.rows, selection, timeRange, timezone);
      if (page) change((rows) => withOlder(rows, page, of));
    },
    showNew: () => {
      if (list.rows.atHead) live.release();
      else {
        live.discard();
        setList({ page: data, rows: data ? rowsOf(data, timeRange) : NO_ROWS });
        void refetch();
      }
    },
  };
}

/** Fetch the list again when the stream began, or began anew: events may have come before it. */
function useCatchUp(opening: number, paused: boolean, refetch: () => void): void {
  const [lastOpening, setLastOpening] = useState(0);
  const catchUp = useEffectEvent(() => {
    setLastOpening(opening);
    refetch();
  });
  useEffect(() => {
    if (opening === 0 || opening === lastOpening || paused) return undefined;
    const timer = setTimeout(catchUp, 0);
    return () => clearTimeout(timer);
  }, [opening, lastOpening, paused]);
}

/** Fetch the page behind the rows; without a cursor, by the time of the last row. */
async function olderPage(
  { older }: Rows,
  selection: EventSelection,
  timeRange: TimeRange,
  timezone: string,
): Promise<{ page: EventPage | null; of: TimeRange }> {
  if (older === null) return { page: null, of: timeRange };
  if ("cursor" in older) return { page: await fetchEvents(selection, older.timeRange, { cursor: older.cursor }), of: older.timeRange };
  const from = new Date(timeRangeStart(timeRange, Date.now(), timezone)).toISOString();
  const of = { from, to: new Date(Date.parse(older.before) + 1).toISOString() };
  return { page: await fetchEvents(selection, of), of };
}
