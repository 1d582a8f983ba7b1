import { useSyncExternalStore } from "react";
import { store, readStored } from "../core/storage.ts";

const listeners = new Set<() => void>();
const SEPARATOR = " ";

/** Pin a dashboard to the navigation of this browser, or take it off. */
export function togglePinned(id: string): void {
  const ids = readPinnedIds();
  const nextIds = ids.includes(id) ? ids.filter((pinnedId) => pinnedId !== id) : [...ids, id];
  store("pinned", nextIds.length > 0 ? nextIds.join(SEPARATOR) : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const storedText = (): string => readStored("pinned") ?? "";
const readPinnedIds = (): string[] => storedText().split(SEPARATOR).filter(Boolean);

/** The ids of the pinned dashboards. */
export function usePinnedIds(): string[] {
  return useSyncExternalStore(subscribe, storedText).split(SEPARATOR).filter(Boolean);
}

/** Return the pinned ones of some dashboards, in the order in which they were pinned. */
export function selectPinned<Row extends { id: string }>(dashboards: Row[], ids: string[]): Row[] {
  return ids.flatMap((id) => dashboards.filter((row) => row.id === id));
}
