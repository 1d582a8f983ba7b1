import type { Alert } from "../../api/alerts.ts";
import styles from "./Status.module.css";
import { STATUS_LABELS, visibleStatus } from "./words.ts";

/** The status of an alert: a dot and its word. */
export function Status({ alert, isBrief = false }: { alert: Alert; isBrief?: boolean }) {
  const status = visibleStatus(alert);
  return (
    <span className={styles.status} data-status={status} data-brief={isBrief || undefined}>
      {STATUS_LABELS[status]}
    </span>
  );
}
