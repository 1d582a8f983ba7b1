import type { Segment } from "../../api/segments.ts";
import { formatExact } from "../../core/numbers.ts";
import styles from "./SegmentCount.module.css";
import { type SegmentCounts, useSegmentCounts } from "./useSegmentCounts.ts";

/** One of the numbers of a segment in the last 30 days; a dash where the server has no answer. */
export function SegmentCount({ segment, counted }: { segment: Segment; counted: keyof SegmentCounts }) {
  const counts = useSegmentCounts(segment);
  return (
    <b className={styles.count} aria-busy={counts === undefined || undefined}>
      {counts ? formatExact(counts[counted]) : "\u00a0"}
    </b>
  );
}
