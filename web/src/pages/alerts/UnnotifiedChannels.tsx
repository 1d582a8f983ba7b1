import type { AlertChannel } from "../../api/alertChannels.ts";
import type { Alert } from "../../api/alerts.ts";
import styles from "./UnnotifiedChannels.module.css";
import { untoldInWords } from "./channels.ts";

/** Who does not know that an alert fires, and why; nothing if all do. */
export function UnnotifiedChannels({ alert, channels }: { alert: Alert; channels: readonly AlertChannel[] }) {
  const untoldReasons = untoldInWords(alert, channels);
  if (untoldReasons.length === 0) return null;
  return (
    <ul className={styles.untold} aria-label="Not notified">
      {untoldReasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}
