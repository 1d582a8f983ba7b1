import type { ReactNode } from "react";
import styles from "./Axes.module.css";
import type { Plot } from "./plot.ts";

const percentOf = (share: number): string => `${share * 100}%`;

/** The lines of values and the words of both axes. */
export function Axes({ plot }: { plot: Pick<Plot, "valueLabels" | "momentLabels"> }): ReactNode {
  return (
    <div className={styles.axes} aria-hidden="true">
      {plot.valueLabels.map(({ share, label }, index) => (
        <div key={label} data-line data-base={index === 0 || undefined} style={{ top: percentOf(share) }}>
          <span>{label}</span>
        </div>
      ))}
      {plot.momentLabels.map(({ share, label, align }) => (
        <span key={label + String(share)} data-moment={align} style={{ left: percentOf(share) }}>
          {label}
        </span>
      ))}
    </div>
  );
}
