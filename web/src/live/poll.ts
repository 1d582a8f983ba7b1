import { type Event, fetchEvents } from "../api/events.ts";
import type { LiveListener } from "./messages.ts";
import type { LiveQuestion } from "./liveQuestion.ts";

const EVERY_MS = 3_000;
const MAX_PAGES = 5;
const MAX_KNOWN_IDS = 2_000;

/** What is new in a list that is newest first, oldest first. `hasOverlap` if the list reaches back to something known. */
export function newEventsIn(events: Event[], knownIds: ReadonlySet<string>): { newEvents: Event[]; hasOverlap: boolean } {
  const unknownEvents = events.filter(({ id }) => !knownIds.has(id));
  return { newEvents: unknownEvents.toReversed(), hasOverlap: unknownEvents.length < events.length };
}

/** Ask for new events every three seconds while the page is visible: for browsers without shared workers. */
export function poll(question: LiveQuestion, listener: LiveListener): () => void {
  const controller = new AbortController();
  let knownIds: ReadonlySet<string> | null = null;
  let openCount = 0;

  const fetchNewEvents = async (): Promise<void> => {
    const newEvents: Event[] = [];
    let cursor: string | undefined;
    let isComplete = false;
    for (let pageIndex = 0; pageIndex < (knownIds ? MAX_PAGES : 1) && !isComplete; pageIndex += 1) {
      const cursorOption = cursor === undefined ? {} : { cursor };
      const { events, next } = await fetchEvents(question, { timeRange: "1h" }, { limit: 200, signal: controller.signal, ...cursorOption });
      const { newEvents: pageNewEvents, hasOverlap: hasPageOverlap } = newEventsIn(events, knownIds ?? new Set());
      newEvents.unshift(...pageNewEvents);
      isComplete = hasPageOverlap || next === null;
      cursor = next ?? undefined;
    }
    if (knownIds === null || !isComplete) openCount += 1;
    if (knownIds !== null && newEvents.length > 0) listener.onEvents(newEvents);
    knownIds = new Set([...(knownIds ?? []), ...newEvents.map(({ id }) => id)].slice(-MAX_KNOWN_IDS));
    listener.onReport({ state: "polling", openCount });
  };
  const pollOnce = async (): Promise<void> => {
    try {
      if (!document.hidden) await fetchNewEvents();
    } catch {
      if (!controller.signal.aborted) listener.onReport({ state: "reconnecting", openCount });
    }
    if (!controller.signal.aborted) timer = setTimeout(() => void pollOnce(), EVERY_MS);
  };
  let timer = setTimeout(() => void pollOnce(), 0);
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
