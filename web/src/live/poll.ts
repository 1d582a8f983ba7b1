import { type Event, fetchEvents } from "../api/events.ts";
import type { LiveListener } from "./messages.ts";
import type { LiveQuestion } from "./question.ts";

const EVERY_MS = 3_000;
const MOST_PAGES = 5;
const MOST_KNOWN = 2_000;

/** What is new in a list that is newest first, oldest first. `met` if the list reaches back to something known. */
export function newIn(events: Event[], known: ReadonlySet<string>): { fresh: Event[]; met: boolean } {
  const fresh = events.filter(({ id }) => !known.has(id));
  return { fresh: fresh.toReversed(), met: fresh.length < events.length };
}

/** Ask for new events every three seconds while the page is visible: for browsers without shared workers. */
export function poll(question: LiveQuestion, listener: LiveListener): () => void {
  const stopped = new AbortController();
  let known: ReadonlySet<string> | null = null;
  let opened = 0;

  const look = async (): Promise<void> => {
    const found: Event[] = [];
    let cursor: string | undefined;
    let met = false;
    for (let page = 0; page < (known ? MOST_PAGES : 1) && !met; page += 1) {
      const more = cursor === undefined ? {} : { cursor };
      const { events, next } = await fetchEvents(question, { timeRange: "1h" }, { limit: 200, signal: stopped.signal, ...more });
      const { fresh, met: reached } = newIn(events, known ?? new Set());
      found.unshift(...fresh);
      met = reached || next === null;
      cursor = next ?? undefined;
    }
    if (known === null || !met) opened += 1;
    if (known !== null && found.length > 0) listener.onEvents(found);
    known = new Set([...(known ?? []), ...found.map(({ id }) => id)].slice(-MOST_KNOWN));
    listener.onReport({ state: "polling", opened });
  };
  const turn = async (): Promise<void> => {
    try {
      if (!document.hidden) await look();
    } catch {
      if (!stopped.signal.aborted) listener.onReport({ state: "reconnecting", opened });
    }
    if (!stopped.signal.aborted) timer = setTimeout(() => void turn(), EVERY_MS);
  };
  let timer = setTimeout(() => void turn(), 0);
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}
