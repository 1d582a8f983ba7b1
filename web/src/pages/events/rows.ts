import type { Event, EventPage } from "../../api/events.ts";
import type { TimeRange } from "../../core/timeRanges.ts";

/** More rows than this nobody reads, and a browser that shows them all grows slow. */
export const MAX_ROWS = 500;

/**
 * Where the rows go on: after a cursor of the list of a time range, or before a moment where no cursor is known, because rows
 * that came live were left out at the end. Null if there are no older ones.
 */
export type Older = { cursor: string; timeRange: TimeRange } | { before: string } | null;

export interface Rows {
  /** Newest first. */
  events: readonly Event[];
  older: Older;
  /** Whether the first row is the newest event there is; not after newer rows made room for older ones. */
  atHead: boolean;
}

export const NO_ROWS: Rows = { events: [], older: null, atHead: true };

/** Return the rows of the newest page of a time range. */
export function rowsOf({ events, next }: EventPage, timeRange: TimeRange): Rows {
  return { events, older: next === null ? null : { cursor: next, timeRange }, atHead: true };
}

/**
 * Put events among the rows in the order of their times; of the same time, the last to arrive comes first. Those before
 * the time range, or older than rows that are not loaded yet, are left out.
 *
 * @param arrivals in the order of arrival
 * @param from the beginning of the time range, in milliseconds
 */
export function withArrived(rows: Rows, arrivals: readonly Event[], from: number): Rows {
  const ids = new Set(rows.events.map(({ id }) => id));
  const oldest = rows.older === null ? "" : (rows.events.at(-1)?.timestamp ?? "");
  const fresh = arrivals.filter(({ id, timestamp }) => !ids.has(id) && timestamp >= oldest && Date.parse(timestamp) >= from);
  if (fresh.length === 0) return rows;
  const events = [...fresh.toReversed(), ...rows.events].sort(byTime);
  if (events.length <= MAX_ROWS) return { ...rows, events };
  const newest = events.slice(0, MAX_ROWS);
  return { ...rows, events: newest, older: { before: newest.at(-1)?.timestamp ?? "" } };
}

/** Put a page of older events behind the rows; the newest make room. */
export function withOlder(rows: Rows, page: EventPage, timeRange: TimeRange): Rows {
  const ids = new Set(rows.events.map(({ id }) => id));
  const events = [...rows.events, ...page.events.filter(({ id }) => !ids.has(id))];
  const oldest = events.slice(-MAX_ROWS);
  return {
    events: oldest,
    older: page.next === null ? null : { cursor: page.next, timeRange },
    atHead: rows.atHead && oldest.length === events.length,
  };
}

/** Leave one event out. */
export function withoutEvent(rows: Rows, id: string): Rows {
  return { ...rows, events: rows.events.filter((event) => event.id !== id) };
}

/** Return the id of the row so many rows below another; undefined if there is none. */
export function neighbour({ events }: Rows, id: string, step: number): string | undefined {
  const at = events.findIndex((event) => event.id === id);
  return at < 0 ? undefined : events[at + step]?.id;
}

/** Times have the same length, so their texts are in the order of time. */
function byTime(one: Event, other: Event): number {
  if (one.timestamp === other.timestamp) return 0;
  return one.timestamp < other.timestamp ? 1 : -1;
}
