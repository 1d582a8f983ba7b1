import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Refusal, fetchRefusals } from "../../api/refusals.ts";
import { formatAgo } from "../../core/time.ts";
import { announce } from "../../ui/announce.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import styles from "./StartPage.module.css";

const REFETCH_MS = 1_500;
const MAX_REFUSALS = 3;

/** Requests that were refused since the page opened, each with the fix as the server words it. */
export function RefusalRows({ isWaiting }: { isWaiting: boolean }) {
  const refusals = useRefusals(isWaiting);
  const newestMessage = refusals[0]?.message;
  useEffect(() => {
    if (newestMessage) announce(`A request was refused: ${newestMessage}`);
  }, [newestMessage]);
  if (refusals.length === 0) return null;
  return (
    <ul aria-label="Refused requests">
      {refusals.map(({ requestId, status, message, userAgent, at }) => (
        <li key={requestId} className={styles.refusal}>
          <Badge tone="error">{status}</Badge>
          <p className={styles.why}>
            A request was refused: <code className={styles.code}>{message}</code>
            {userAgent ? <span className={styles.agent}>{userAgent}</span> : null}
          </p>
          <span className={styles.ago}>{formatAgo(at)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Return the last refusals of the workspace's keys since the page opened, newest first. */
function useRefusals(isWaiting: boolean): readonly Refusal[] {
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
