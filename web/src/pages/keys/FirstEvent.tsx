import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type NewKey, keysQuery } from "../../api/keys.ts";
import { snippets } from "../../core/snippets.ts";
import { useArrival } from "../../scope/arrival/useArrival.ts";
import { Snippet } from "../../ui/Code/Snippet.tsx";
import styles from "./FirstEvent.module.css";

/** Examples that send an event with a new key, and a check once the key was used and an event has arrived. */
export function FirstEvent({ newKey: { id, environment, secret } }: { newKey: NewKey }) {
  const { arrival } = useArrival([environment]);
  const { data: keys = [] } = useQuery(keysQuery);
  const isUsed = keys.some((key) => key.id === id && key.lastUsedAt !== null);
  const hasArrived = isUsed && arrival !== null;
  return (
    <div>
      <Snippet tabs={snippets(location.origin, secret)} />
      <p className={styles.arrival} role="status" data-arrived={hasArrived || undefined}>
        {hasArrived ? <Check size={14} aria-hidden="true" /> : null}
        {hasArrived ? "The first event has arrived." : "Waiting for the first event\u2026"}
      </p>
    </div>
  );
}
