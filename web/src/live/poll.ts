import { type Event, fetchEvents } from "../api/events.ts";
import type { LiveListener } from "./messages.ts";
import type { LiveQuestion } from "./question.ts";

const EVERY_MS = 3_000;
const MOST_PAGES = 5;
const MOST_KNOWN = 2_000;

/** What is new in a list that is newest first, oldest first. `overlaps` if the list reaches back to something known. */
export function newIn(events: Event[], knownIds: ReadonlySet<string>): { fresh: Event[]; overlaps: boolean } {
  const fresh = events.filter(({ id }) => !knownIds.has(id));
  return { fresh: fresh.toReversed(), overlaps: fresh.length < events.length };
}

/** Ask for new events every three seconds while the page is visible: for browsers without shared workers. */
export function poll(question: LiveQuestion, listener: LiveListener): () => void {
  const controller = new AbortController();
  let knownIds: ReadonlySet<string> | null = null;
  let openings = 0;

  const look = async (): Promise<void> => {
    const newEvents: Event[] = [];
    let cursor: string | undefined;
    let isComplete = false;
    for (let page = 0; page < (knownIds ? MOST_PAGES : 1) && !isComplete; page += 1) {
      const more = cursor === undefined ? {} : { cursor };
      const { events, next } = await fetchEvents(question, { timeRange: "1h" }, { limit: 200, signal: controller.signal, ...more });
      const { fresh, overlaps: pageOverlaps } = newIn(events, knownIds ?? new Set());
      newEvents.unshift(...fresh);
      isComplete = pageOverlaps || next === null;
      cursor = next ?? undefined;
    }
    if (knownIds === null || !isComplete) openings += 1;
    if (knownIds !== null && newEvents.length > 0) listener.onEvents(newEvents);
    knownIds = new Set([...(knownIds ?? []), ...newEvents.map(({ id }) => id)].slice(-MOST_KNOWN));
    listener.onReport({ state: "polling", opened: openings });
  };
  const turn = async (): Promise<void> => {
    try {
      if (!document.hidden) await look();
    } catch {
      if (!controller.signal.aborted) listener.onReport({ state: "reconnecting", opened: openings });
    }
    if (!controller.signal.aborted) timer = setTimeout(() => void turn(), EVERY_MS);
  };
  let timer = setTimeout(() => void turn(), 0);
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
