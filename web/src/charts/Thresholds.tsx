import type { ReactNode } from "react";
import type { Plot } from "./plot.ts";
import styles from "./Thresholds.module.css";

/** A value to reach or not to exceed, with words such as "Goal 500". */
export interface Threshold {
  value: number;
  label: string;
  kind: "goal" | "limit";
}

/** Dashed lines across a plot, with their words at the left. */
export function Thresholds({ plot, thresholds }: { plot: Plot; thresholds: readonly Threshold[] }): ReactNode {
  return thresholds.map(({ value, label, kind }) => (
    <div key={label} className={styles.threshold} data-kind={kind} style={{ top: `${(plot.y(value) / plot.height) * 100}%` }}>
      <b>{label}</b>
    </div>
  ));
}
