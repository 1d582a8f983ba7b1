import type { Alert } from "../../api/alerts.ts";
import styles from "./GaugeBar.module.css";
import { limitGaugeOf } from "./limitGauge.ts";

const percent = (share: number) => `${share * 100}%`;

/** How far the last value of an alert is from its limit. It is decoration: both numbers stand beside it. */
export function GaugeBar({ alert }: { alert: Alert }) {
  const gauge = limitGaugeOf(alert);
  if (gauge === null) return null;
  return (
    <span className={styles.gauge} data-firing={alert.status === "firing" || undefined} aria-hidden="true">
      <i style={{ width: percent(gauge.valueShare) }} />
      <b style={{ left: percent(gauge.limitShare) }} />
    </span>
  );
}
