import { useEffect } from "react";
import type { Refusal } from "../../api/refusals.ts";
import { formatAgo } from "../../core/time.ts";
import { announce } from "../../ui/announce.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import styles from "./StartPage.module.css";

/** Requests that were refused since the page opened, each with the fix as the server words it. */
export function RefusalRows({ refusals }: { refusals: readonly Refusal[] }) {
  const newestMessage = refusals[0]?.message;
  useEffect(() => {
    if (newestMessage) announce(`A request was refused: ${newestMessage}`);
  }, [newestMessage]);
  if (refusals.length === 0) return null;
  return (
    <ul aria-label="Refused requests">
      {refusals.map(({ requestId, status, message, at }) => (
        <li key={requestId} className={styles.refusal}>
          <Badge tone="error">{status}</Badge>
          <p className={styles.why}>
            A request was refused: <code className={styles.code}>{message}</code>
          </p>
          <span className={styles.ago}>{formatAgo(at)}</span>
        </li>
      ))}
    </ul>
  );
}
