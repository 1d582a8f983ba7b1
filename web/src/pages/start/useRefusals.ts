import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Refusal, fetchRefusals } from "../../api/refusals.ts";

const EVERY_MS = 1_500;
const SHOWN = 3;

/** Return the last refusals of the workspace's keys since the page opened, newest first. */
export function useRefusals(waiting: boolean): readonly Refusal[] {
  const [visit] = useState<{ opened: number; known: Set<string> | null }>(() => ({ opened: Date.now(), known: null }));
  const { data = [] } = useQuery({
    queryKey: ["/v1/events/refusals", { after: visit.opened }],
    queryFn: async ({ signal }) => {
      const refusals = await fetchRefusals(signal);
      visit.known ??= new Set(refusals.map(({ requestId }) => requestId));
      const { known } = visit;
      return refusals.filter(({ requestId }) => !known.has(requestId)).slice(0, SHOWN);
    },
    refetchInterval: waiting ? EVERY_MS : false,
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
  return data;
}
