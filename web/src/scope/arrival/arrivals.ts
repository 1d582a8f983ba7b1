/** Ids of events begin with the time of their arrival, so that the newest is the last in the order of texts. */
interface Arriving {
  id: string;
}

/** Return the id of what arrived last; "" when nothing has. */
export function newestId(events: readonly Arriving[]): string {
  return events.reduce((newestSoFar, { id }) => (id > newestSoFar ? id : newestSoFar), "");
}

/** Return the first event that arrived after a mark, whatever time it carries; null when none has. */
export function firstEventAfter<Event extends Arriving>(events: readonly Event[], markId: string): Event | null {
  return events
    .filter(({ id }) => id > markId)
    .reduce<Event | null>((firstSoFar, event) => (firstSoFar === null || event.id < firstSoFar.id ? event : firstSoFar), null);
}

/** Write how long something has taken: `0:42`, `12:05`. */
export function elapsedInWords(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
