import type { ReactNode } from "react";
import styles from "./Axes.module.css";
import type { Plot } from "./plot.ts";

const percent = (share: number): string => `${share * 100}%`;

/** The lines of values and the words of both axes. */
export function Axes({ plot }: { plot: Pick<Plot, "values" | "moments"> }): ReactNode {
  return (
    <div className={styles.axes} aria-hidden="true">
      {plot.values.map(({ at, label }, index) => (
        <div key={label} data-line data-base={index === 0 || undefined} style={{ top: percent(at) }}>
          <span>{label}</span>
        </div>
      ))}
      {plot.moments.map(({ at, label, align }) => (
        <span key={label + String(at)} data-moment={align} style={{ left: percent(at) }}>
          {label}
        </span>
      ))}
    </div>
  );
}
