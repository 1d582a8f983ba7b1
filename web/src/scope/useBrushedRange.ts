import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { isTypedInField } from "../core/keys.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import type { Scope } from "./useScope.ts";

/**
 * Set the time range of a page from its charts. While such a range holds, Escape goes one step back in the history.
 *
 * @param isCovered - something is open that Escape closes first
 */
export function useBrushedRange({ timeRange, setTimeRange }: Scope, isCovered: boolean): (range: TimeRange) => void {
  const router = useRouter();
  const brushedRanges = useRef<string[]>([]);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || isCovered || event.defaultPrevented || isTypedInField(event)) return;
    if (brushedRanges.current.at(-1) !== JSON.stringify(timeRange)) return;
    event.preventDefault();
    brushedRanges.current.pop();
    router.history.back();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return (range) => {
    brushedRanges.current.push(JSON.stringify(range));
    setTimeRange(range);
  };
}
