import { useQuery } from "@tanstack/react-query";
import type { Segment } from "../../api/segments.ts";
import { type Question, questionQuery } from "../../api/widgets.ts";

/** How many actors and events a segment has; null where the server has no answer. */
export interface SegmentCounts {
  actors: number | null;
  events: number | null;
}

const NO_ANSWER: SegmentCounts = { actors: null, events: null };

/** Ask for both numbers of the last 30 days at once; undefined while they are not known. */
export function useSegmentCounts({ id, environment, updatedAt }: Segment): SegmentCounts | undefined {
  const items = [
    { events: "all" as const, measure: "uniq_actors" as const },
    { events: "all" as const, measure: "count" as const },
  ];
  const question: Question = { environment, timeRange: "30d", type: "kpi", config: { items, segmentId: id, compare: false } };
  const { queryKey, ...rest } = questionQuery(question);
  // Other filters are another question under the same id.
  const { data, isPending } = useQuery({ ...rest, queryKey: [...queryKey, updatedAt] });
  if (isPending) return undefined;
  if (data?.kind !== "kpi") return NO_ANSWER;
  const [actors, events] = data.items;
  return { actors: actors?.value ?? null, events: events?.value ?? null };
}
