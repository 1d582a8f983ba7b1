import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import type { Buckets } from "../../core/buckets.ts";
import { isTypedInField } from "../../core/keys.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { bucketsRange } from "../../scope/bucketsRange.ts";
import type { Scope } from "../../scope/useScope.ts";

export interface BrushedTimeProps {
  /** What was selected on a chart; each selection is another object. */
  buckets: Buckets;
  scope: Scope;
  timezone: string;
  /** Something is open that Escape closes first. */
  isCovered: boolean;
}

/** A time that a chart has set. */
interface Brush {
  buckets: Buckets;
  range: TimeRange;
  /** The time range before. */
  before: TimeRange;
  /** Where in the history it was set. */
  index: number;
}

/** Show the time of the buckets that are selected on a chart; while it is shown, Escape goes back to the time before. */
export function BrushedTime({ buckets, scope: { timeRange, setTimeRange }, timezone, isCovered }: BrushedTimeProps): null {
  const { history } = useRouter();
  const brushes = useRef<Brush[]>([]);
  const showTime = useEffectEvent((selection: Buckets) => {
    if (brushes.current.at(-1)?.buckets === selection) return;
    const range = untilNow(bucketsRange(selection, timeRange, timezone, Date.now()));
    brushes.current.push({ buckets: selection, range, before: timeRange, index: history.location.state.__TSR_index + 1 });
    setTimeRange(range);
  });
  useEffect(() => showTime(buckets), [buckets]);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || isCovered || event.defaultPrevented || isTypedInField(event)) return;
    const brush = brushes.current.at(-1);
    if (!brush || JSON.stringify(brush.range) !== JSON.stringify(timeRange)) return;
    event.preventDefault();
    brushes.current.pop();
    // Something else may have changed since, such as a filter, which stays.
    if (history.location.state.__TSR_index === brush.index) history.back();
    else setTimeRange(brush.before);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return null;
}

/** Return a time range without what is still to come. */
function untilNow(range: TimeRange): TimeRange {
  const now = new Date().toISOString();
  return "to" in range && range.from < now && now < range.to ? { ...range, to: now } : range;
}
