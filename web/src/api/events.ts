import { queryOptions } from "@tanstack/react-query";
import { parseExact } from "../core/exactJson.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import { DELETE, GET, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type Event = Schemas["EventOut"];
export type EventPage = Schemas["EventList"];

/** Which events of an environment are meant: all conditions hold together. */
export interface EventSelection {
  environment: string;
  name?: string;
  actor?: string;
  filters: Schemas["Filter"][];
}

/** Rows of one page of the event list. */
const EVENTS_A_PAGE = 100;

/** Fetch one page of events, newest first; a cursor continues its own question only. */
export async function fetchEvents(
  selection: EventSelection,
  timeRange: TimeRange,
  pageOptions: { cursor?: string; limit?: number; signal?: AbortSignal } = {},
): Promise<EventPage> {
  const { environment, name, actor, filters } = selection;
  const { cursor, limit = EVENTS_A_PAGE, signal } = pageOptions;
  const query = {
    environment,
    ...timeRange,
    ...(name === undefined ? {} : { name }),
    ...(actor === undefined ? {} : { actor }),
    limit: String(limit),
    ...(filters.length > 0 ? { filters: JSON.stringify(filters) } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const text = await answer(GET("/v1/events", { params: { query }, parseAs: "text", ...(signal ? { signal } : {}) }));
  return parseExact(text) as EventPage;
}

/** The newest events of a time range: its first page. */
export const newestEventsQuery = (selection: EventSelection, timeRange: TimeRange) =>
  queryOptions({
    queryKey: ["/v1/events", { selection, timeRange }],
    queryFn: ({ signal }) => fetchEvents(selection, timeRange, { signal }),
    staleTime: 0,
  });

/** The first of some environments that has an event at all; null if none has. They are asked one after the other. */
export const firstWithEventsQuery = (environments: readonly string[]) =>
  queryOptions({
    queryKey: ["/v1/events", { firstWithEvents: environments }],
    queryFn: async ({ signal }): Promise<string | null> => {
      for (const environment of environments) {
        const { events } = await fetchEvents({ environment, filters: [] }, { timeRange: "all" }, { limit: 1, signal });
        if (events.length > 0) return environment;
      }
      return null;
    },
    staleTime: 0,
  });

const pathParams = (event_id: string) => ({ params: { path: { event_id } } });

/** Leave an event out of every count, list and export. Developers only. */
export const hideEvent = (id: string) => answer(POST("/v1/events/{event_id}/hide", pathParams(id)));
/** Show a hidden event again. Developers only. */
export const showEvent = (id: string) => answer(DELETE("/v1/events/{event_id}/hide", pathParams(id)));

/**
 * One event by its id, within its environment; null if there is none. The server has no address for a single event, but
 * its id begins with its time in milliseconds, so it is among the few events of that moment.
 */
export const eventQuery = (environment: string, id: string) =>
  queryOptions({
    queryKey: ["/v1/events", { environment, id }],
    queryFn: async ({ signal }): Promise<Event | null> => {
      const timeMs = timeOfId(id);
      if (timeMs === null) return null;
      const timeRange = { from: new Date(timeMs).toISOString(), to: new Date(timeMs + 1).toISOString() };
      let cursor: string | undefined;
      for (let pageIndex = 0; pageIndex < MAX_PAGES_OF_A_MOMENT; pageIndex += 1) {
        const cursorOption = cursor === undefined ? {} : { cursor };
        const { events, next } = await fetchEvents({ environment, filters: [] }, timeRange, { limit: 200, signal, ...cursorOption });
        const match = events.find((event) => event.id === id);
        if (match || next === null) return match ?? null;
        cursor = next;
      }
      return null;
    },
    staleTime: Infinity,
  });

const MAX_PAGES_OF_A_MOMENT = 10;

/** Return the time in an event's id (a UUIDv7), in milliseconds since 1970; null if it is no such id. */
export function timeOfId(id: string): number | null {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id);
  return match ? Number.parseInt(`${match[1] ?? ""}${match[2] ?? ""}`, 16) : null;
}
