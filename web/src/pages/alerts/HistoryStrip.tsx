import type { AlertHistory } from "../../api/alerts.ts";
import styles from "./HistoryStrip.module.css";
import { dayInWords, historyDaysOf, historyInWords, totalInWords } from "./historyDays.ts";

const DAY_COUNT = 30;

/** The last 30 days of an alert as cells, today last; empty while they are not known, and none before it is evaluated. */
export function HistoryStrip({ history, alertId }: { history: AlertHistory | undefined; alertId: string }) {
  const alertHistory = history?.alerts.find((candidate) => candidate.alertId === alertId);
  if (!history || !alertHistory) {
    return (
      <div className={styles.history} aria-hidden="true">
        <div className={styles.strip}>
          {Array.from({ length: DAY_COUNT }, (_, index) => (
            <i key={index} />
          ))}
        </div>
      </div>
    );
  }
  if (alertHistory.knownUntil === null) {
    return (
      <div className={styles.history}>
        <span className={styles.total}>not evaluated yet</span>
      </div>
    );
  }
  const days = historyDaysOf(history, alertHistory);
  return (
    <div className={styles.history}>
      <div className={styles.strip} role="img" aria-label={historyInWords(days)}>
        {days.map((day) => (
          <i key={day.day} title={dayInWords(day)} data-state={day.state} data-began={day.fired > 0 || undefined} />
        ))}
      </div>
      <span className={styles.total} aria-hidden="true">{totalInWords(days)}</span>
    </div>
  );
}
