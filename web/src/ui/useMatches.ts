import { useSyncExternalStore } from "react";

/** Return whether a media query holds, and follow it. */
export function useMatches(query: string): boolean {
  const subscribe = (changed: () => void) => {
    const list = window.matchMedia(query);
    list.addEventListener("change", changed);
    return () => list.removeEventListener("change", changed);
  };
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
