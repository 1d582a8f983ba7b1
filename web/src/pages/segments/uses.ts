import type { Segment } from "../../api/segments.ts";
import { countInWords } from "../../core/numbers.ts";

/** Say what uses a segment: "2 widgets, 1 alert"; "not used" of one that can be deleted. */
export function usesInWords({ widgetCount, alertCount }: Pick<Segment, "widgetCount" | "alertCount">): string {
  const uses = [...(widgetCount > 0 ? [countInWords(widgetCount, "widget")] : []), ...(alertCount > 0 ? [countInWords(alertCount, "alert")] : [])];
  return uses.join(", ") || "not used";
}
