import { useQuery } from "@tanstack/react-query";
import type { Segment } from "../../api/segments.ts";
import { type Question, questionQuery } from "../../api/widgets.ts";
import { formatExact } from "../../core/numbers.ts";
import styles from "./EventCount.module.css";

/** How many events of the last seven days are in a segment; a dash where the server has no answer. */
export function EventCount({ segment: { id, environment, updatedAt } }: { segment: Segment }) {
  const config = { events: "all" as const, measure: "count" as const, segmentId: id, compare: false as const };
  const question: Question = { environment, timeRange: "7d", type: "metric", config };
  const { queryKey, ...rest } = questionQuery(question);
  // Other filters are another question under the same id.
  const { data, isPending } = useQuery({ ...rest, queryKey: [...queryKey, updatedAt] });
  const value = data?.kind === "counter" ? data.value : null;
  return (
    <b className={styles.count} aria-busy={isPending || undefined}>
      {isPending ? "\u00a0" : formatExact(value)}
    </b>
  );
}
