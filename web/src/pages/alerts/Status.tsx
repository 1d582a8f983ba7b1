import type { Alert } from "../../api/alerts.ts";
import styles from "./Status.module.css";
import { STATUS } from "./words.ts";

/** The status of an alert: a dot and its word. */
export function Status({ status, isBrief = false }: { status: Alert["status"]; isBrief?: boolean }) {
  return (
    <span className={styles.status} data-status={status} data-brief={isBrief || undefined}>
      {STATUS[status]}
    </span>
  );
}
