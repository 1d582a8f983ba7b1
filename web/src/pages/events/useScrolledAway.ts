import { useSyncExternalStore } from "react";

/** Below this, in px, the first rows are out of sight. */
const AWAY_PX = 200;

/** Return whether the page is scrolled so far that its first rows are out of sight. */
export function useScrolledAway(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > AWAY_PX);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
}
