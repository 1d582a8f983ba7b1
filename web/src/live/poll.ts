import { type Event, fetchEvents } from "../api/events.ts";
import type { LiveListener } from "./messages.ts";
import type { LiveQuestion } from "./liveQuestion.ts";

const EVERY_MS = 3_000;
const MAX_PAGES = 5;
const MAX_KNOWN_IDS = 2_000;

/** What is new in a list that is newest first, oldest first. `overlaps` if the list reaches back to something known. */
export function newEventsIn(events: Event[], knownIds: ReadonlySet<string>): { newEvents: Event[]; overlaps: boolean } {
  const fresh = events.filter(({ id }) => !knownIds.has(id));
  return { newEvents: fresh.toReversed(), overlaps: fresh.length < events.length };
}

/** Ask for new events every three seconds while the page is visible: for browsers without shared workers. */
export function poll(question: LiveQuestion, listener: LiveListener): () => void {
  const controller = new AbortController();
  let knownIds: ReadonlySet<string> | null = null;
  let openings = 0;

  const fetchNewEvents = async (): Promise<void> => {
    const newEvents: Event[] = [];
    let cursor: string | undefined;
    let isComplete = false;
    for (let page = 0; page < (knownIds ? MAX_PAGES : 1) && !isComplete; page += 1) {
      const more = cursor === undefined ? {} : { cursor };
      const { events, next } = await fetchEvents(question, { timeRange: "1h" }, { limit: 200, signal: controller.signal, ...more });
      const { newEvents: fresh, overlaps: pageOverlaps } = newEventsIn(events, knownIds ?? new Set());
      newEvents.unshift(...fresh);
      isComplete = pageOverlaps || next === null;
      cursor = next ?? undefined;
    }
    if (knownIds === null || !isComplete) openings += 1;
    if (knownIds !== null && newEvents.length > 0) listener.onEvents(newEvents);
    knownIds = new Set([...(knownIds ?? []), ...newEvents.map(({ id }) => id)].slice(-MAX_KNOWN_IDS));
    listener.onReport({ state: "polling", opened: openings });
  };
  const pollOnce = async (): Promise<void> => {
    try {
      if (!document.hidden) await fetchNewEvents();
    } catch {
      if (!controller.signal.aborted) listener.onReport({ state: "reconnecting", opened: openings });
    }
    if (!controller.signal.aborted) timer = setTimeout(() => void pollOnce(), EVERY_MS);
  };
  let timer = setTimeout(() => void pollOnce(), 0);
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
