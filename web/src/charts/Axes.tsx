import type { ReactNode } from "react";
import styles from "./Axes.module.css";
import type { Plot } from "./plot.ts";

const percentOf = (share: number): string => `${share * 100}%`;

/** The lines of values and the words of both axes, with a mark where an axis leaves out values up to zero. */
export function Axes({ plot }: { plot: Pick<Plot, "valueLabels" | "momentLabels"> & Partial<Pick<Plot, "cutEnd">> }): ReactNode {
  return (
    <div className={styles.axes} aria-hidden="true">
      {plot.valueLabels.map(({ share, label }, index) => (
        <div key={label} data-line data-base={index === 0 || undefined} style={{ top: percentOf(share) }}>
          <span>{label}</span>
        </div>
      ))}
      {plot.cutEnd && (
        <svg viewBox="0 0 8 20" data-cut={plot.cutEnd}>
          <path d="M4 20v-6M4 10v-6M0 16.5l8-5M0 12.5l8-5" />
        </svg>
      )}
      {plot.momentLabels.map(({ share, label, align }) => (
        <span key={label + String(share)} data-moment={align} style={{ left: percentOf(share) }}>
          {label}
        </span>
      ))}
    </div>
  );
}
