import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { type Event, type EventPage, type EventSelection, fetchEvents, newestEventsQuery } from "../../api/events.ts";
import { reachesNow, timeRangeStartMs } from "../../core/timeRangeStart.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { type Live, useLiveEvents } from "../../live/useLiveEvents.ts";
import { useNow } from "../../ui/useNow.ts";
import { NO_ROWS, type Rows, rowsOf, withArrived, withOlder, withoutEvent } from "./rows.ts";

export interface EventListOptions {
  selection: EventSelection;
  timeRange: TimeRange;
  workspaceId: string;
  timezone: string;
  /** Hold new events back. */
  isPaused: boolean;
  /** Whether everything is known that the selection depends on. */
  isReady: boolean;
}

export interface EventList {
  rows: Rows;
  /** What the server has to say about them. */
  notices: EventPage["notices"];
  live: Live;
  /** Whether new events belong to the time range. */
  isFollowing: boolean;
  isPending: boolean;
  error: Error | null;
  reload: () => void;
  loadOlder: () => Promise<void>;
  /** Show what waits; after a look far back, the newest page again. */
  showNew: () => void;
  remove: (id: string) => void;
}

/** The rows of the events page: its newest page, what arrives, and what is loaded behind. */
export function useEventList({ selection, timeRange, workspaceId, timezone, isPaused, isReady }: EventListOptions): EventList {
  const { data, error, isPending, refetch } = useQuery({ ...newestEventsQuery(selection, timeRange), enabled: isReady });
  const [loaded, setLoaded] = useState<{ page: EventPage | undefined; rows: Rows }>({ page: undefined, rows: NO_ROWS });
  if (data !== loaded.page) setLoaded({ page: data, rows: data ? rowsOf(data, timeRange) : NO_ROWS });
  const changeRows = (update: (rows: Rows) => Rows) => setLoaded((current) => ({ ...current, rows: update(current.rows) }));

  const isFollowing = reachesNow(timeRange, useNow());
  const live = useLiveEvents(isReady && isFollowing ? { ...selection, workspaceId } : null, {
    isPaused: isPaused || !loaded.rows.isAtHead || data === undefined,
    onEvents: (events: Event[]) => changeRows((rows) => withArrived(rows, events, timeRangeStartMs(timeRange, Date.now(), timezone))),
  });
  useCatchUp(live.openCount, isPaused, () => void refetch());

  return {
    rows: loaded.rows,
    notices: data?.notices,
    live,
    isFollowing,
    isPending,
    error,
    reload: () => void refetch(),
    remove: (id) => changeRows((rows) => withoutEvent(rows, id)),
    loadOlder: async () => {
      const { page, pageRange } = await fetchOlderPage(loaded.rows, selection, timeRange, timezone);
      if (page) changeRows((rows) => withOlder(rows, page, pageRange));
    },
    showNew: () => {
      if (loaded.rows.isAtHead) live.release();
      else {
        live.discard();
        setLoaded({ page: data, rows: data ? rowsOf(data, timeRange) : NO_ROWS });
        void refetch();
      }
    },
  };
}

/** Fetch the list again when the stream began, or began anew: events may have come before it. */
function useCatchUp(openingNumber: number, isPaused: boolean, refetch: () => void): void {
  const [caughtUpNumber, setCaughtUpNumber] = useState(0);
  const catchUp = useEffectEvent(() => {
    setCaughtUpNumber(openingNumber);
    refetch();
  });
  useEffect(() => {
    if (openingNumber === 0 || openingNumber === caughtUpNumber || isPaused) return undefined;
    const timer = setTimeout(catchUp, 0);
    return () => clearTimeout(timer);
  }, [openingNumber, caughtUpNumber, isPaused]);
}

/** Fetch the page behind the rows; without a cursor, by the time of the last row. */
async function fetchOlderPage(
  { olderStart }: Rows,
  selection: EventSelection,
  timeRange: TimeRange,
  timezone: string,
): Promise<{ page: EventPage | null; pageRange: TimeRange }> {
  if (olderStart === null) return { page: null, pageRange: timeRange };
  if ("cursor" in olderStart) {
    return { page: await fetchEvents(selection, olderStart.timeRange, { cursor: olderStart.cursor }), pageRange: olderStart.timeRange };
  }
  const from = new Date(timeRangeStartMs(timeRange, Date.now(), timezone)).toISOString();
  const pageRange = { from, to: new Date(Date.parse(olderStart.before) + 1).toISOString() };
  return { page: await fetchEvents(selection, pageRange), pageRange };
}
