import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import type { TimeRange } from "../core/timeRanges.ts";
import type { Scope } from "./useScope.ts";

/** Set the time range of a page from its charts. While such a range holds, Escape goes one step back in the history. */
export function useBrushedRange({ timeRange, setTimeRange }: Scope): (range: TimeRange) => void {
  const router = useRouter();
  const brushedRanges = useRef<string[]>([]);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || isElsewhere(event.target)) return;
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

/** Return whether a key is for a field, a menu or a dialog. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, [role=menu], [role=dialog], [role=listbox]") !== null;
