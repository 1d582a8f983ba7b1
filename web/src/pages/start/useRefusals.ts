import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Refusal, fetchRefusals } from "../../api/refusals.ts";

const REFETCH_MS = 1_500;
const MAX_REFUSALS = 3;

/** Return the last refusals of the workspace's keys since the page opened, newest first. */
export function useRefusals(isWaiting: boolean): readonly Refusal[] {
  const [visit] = useState<{ openedMs: number; knownIds: Set<string> | null }>(() => ({ openedMs: Date.now(), knownIds: null }));
  const { data = [] } = useQuery({
    queryKey: ["/v1/events/refusals", { after: visit.openedMs }],
    queryFn: async ({ signal }) => {
      const refusals = await fetchRefusals(signal);
      visit.knownIds ??= new Set(refusals.map(({ requestId }) => requestId));
      const { knownIds } = visit;
      return refusals.filter(({ requestId }) => !knownIds.has(requestId)).slice(0, MAX_REFUSALS);
    },
    refetchInterval: isWaiting ? REFETCH_MS : false,
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
  return data;
}
