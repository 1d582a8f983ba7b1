import { useSyncExternalStore } from "react";

/** Return whether a media query holds, and follow it. */
export function useMatches(query: string): boolean {
  const subscribe = (onChange: () => void) => {
    const mediaQuery = window.matchMedia(query);
    mediaQuery.addEventListener("change", onChange);
    return () => mediaQuery.removeEventListener("change", onChange);
  };
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
