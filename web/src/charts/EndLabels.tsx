import type { ReactNode } from "react";
import { seriesColor } from "./colors.ts";
import styles from "./EndLabels.module.css";
import type { Plot } from "./plot.ts";
import { type TimeLine, wholeValuesOf } from "./series.ts";
import { spreadLabels } from "./spreadLabels.ts";

const ROW_HEIGHT = 15;

/** The names of lines beside their ends, moved apart where lines end near each other. */
export function EndLabels({ plot, line }: { plot: Plot; line: TimeLine }): ReactNode {
  const lineEnds = line.series
    .map(({ name, values, color }) => {
      const isValue = (value: number | null) => value !== null;
      const lastValue = wholeValuesOf(values, line.partialBuckets).findLast(isValue) ?? values.findLast(isValue) ?? 0;
      return { name, y: plot.y(lastValue), color: seriesColor(color) };
    })
    .sort((left, right) => left.y - right.y);
  const maxLabelCount = Math.max(Math.floor(plot.height / ROW_HEIGHT), 1);
  return spreadLabels(lineEnds.slice(0, maxLabelCount), plot.height, ROW_HEIGHT).map(({ name, color, y }) => (
    <span key={name} className={styles.label} aria-hidden="true" style={{ top: y }}>
      <i style={{ color }} />
      <span>{name}</span>
    </span>
  ));
}
