import type { Event, EventPage } from "../../api/events.ts";
import type { TimeRange } from "../../core/timeRanges.ts";

/** More rows than this nobody reads, and a browser that shows them all grows slow. */
export const MAX_ROWS = 500;

/**
 * Where the rows go on: after a cursor of the list of a time range, or before a moment where no cursor is known, because rows
 * that came live were left out at the end. Null if there are no older ones.
 */
export type OlderStart = { cursor: string; timeRange: TimeRange } | { before: string } | null;

export interface Rows {
  /** Newest first. */
  events: readonly Event[];
  olderStart: OlderStart;
  /** Whether the first row is the newest event there is; not after newer rows made room for older ones. */
  isAtHead: boolean;
}

export const NO_ROWS: Rows = { events: [], olderStart: null, isAtHead: true };

/** Return the rows of the newest page of a time range. */
export function rowsOf({ events, next }: EventPage, timeRange: TimeRange): Rows {
  return { events, olderStart: next === null ? null : { cursor: next, timeRange }, isAtHead: true };
}

/**
 * Put events among the rows in the order of their times; of the same time, the last to arrive comes first. Those before
 * the time range, or older than rows that are not loaded yet, are left out.
 *
 * @param arrivals in the order of arrival
 * @param from the beginning of the time range, in milliseconds
 */
export function withArrived(rows: Rows, arrivals: readonly Event[], fromMs: number): Rows {
  const knownIds = new Set(rows.events.map(({ id }) => id));
  const oldestTimestamp = rows.olderStart === null ? "" : (rows.events.at(-1)?.timestamp ?? "");
  const newEvents = arrivals.filter(
    ({ id, timestamp }) => !knownIds.has(id) && timestamp >= oldestTimestamp && Date.parse(timestamp) >= fromMs,
  );
  if (newEvents.length === 0) return rows;
  const events = [...newEvents.toReversed(), ...rows.events].sort(newestFirst);
  if (events.length <= MAX_ROWS) return { ...rows, events };
  const keptEvents = events.slice(0, MAX_ROWS);
  return { ...rows, events: keptEvents, olderStart: { before: keptEvents.at(-1)?.timestamp ?? "" } };
}

/** Put a page of older events behind the rows; the newest make room. */
export function withOlder(rows: Rows, page: EventPage, timeRange: TimeRange): Rows {
  const knownIds = new Set(rows.events.map(({ id }) => id));
  const events = [...rows.events, ...page.events.filter(({ id }) => !knownIds.has(id))];
  const keptEvents = events.slice(-MAX_ROWS);
  return {
    events: keptEvents,
    olderStart: page.next === null ? null : { cursor: page.next, timeRange },
    isAtHead: rows.isAtHead && keptEvents.length === events.length,
  };
}

/** Leave one event out. */
export function withoutEvent(rows: Rows, id: string): Rows {
  return { ...rows, events: rows.events.filter((event) => event.id !== id) };
}

/** Return the id of the row so many rows below another; undefined if there is none. */
export function neighbourId({ events }: Rows, id: string, step: number): string | undefined {
  const index = events.findIndex((event) => event.id === id);
  return index < 0 ? undefined : events[index + step]?.id;
}

/** Times have the same length, so their texts are in the order of time. */
function newestFirst(left: Event, right: Event): number {
  if (left.timestamp === right.timestamp) return 0;
  return left.timestamp < right.timestamp ? 1 : -1;
}
