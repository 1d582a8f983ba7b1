import type { Alert } from "../../api/alerts.ts";
import { toMilliseconds } from "../../core/time.ts";
import { useNow } from "../../ui/useNow.ts";
import styles from "./Alert.module.css";
import { delayInWords } from "./words.ts";

/** That an alert keeps its status until the newest events are there; nothing otherwise. */
export function DelayNote({ alert }: { alert: Alert }) {
  const now = useNow();
  if (!alert.delayedSince) return null; // a server of the version before has no such field
  return (
    <section className={styles.gap} aria-label="Evaluation delayed">
      <p>{delayInWords(Math.max(0, now - toMilliseconds(alert.delayedSince)))}</p>
    </section>
  );
}
