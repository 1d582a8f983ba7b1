import { useSyncExternalStore } from "react";

/** Return whether a media query holds, and follow it. */
export function useMatches(query: string): boolean {
  const subscribe = (onChange: () => void) => {
    const list = window.matchMedia(query);
    list.addEventListener("change", onChange);
    return () => list.removeEventListener("change", onChange);
  };
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
