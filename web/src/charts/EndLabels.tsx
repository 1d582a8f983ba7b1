import type { ReactNode } from "react";
import { seriesColor } from "./colors.ts";
import styles from "./EndLabels.module.css";
import type { Plot } from "./plot.ts";
import { type TimeLine, wholeValuesOf } from "./series.ts";

/** From this number of series on, colors alone no longer tell lines apart. */
export const END_LABELS_FROM = 5;
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

/** Move labels apart, the topmost first, so that each has `rowHeight` pixels, and none leaves the plot by more than half of that. */
export function spreadLabels<LineEnd extends { y: number }>(lineEnds: readonly LineEnd[], height: number, rowHeight: number): LineEnd[] {
  let minY = -rowHeight / 2;
  const pushedDown = lineEnds.map((lineEnd) => {
    const y = Math.max(lineEnd.y, minY);
    minY = y + rowHeight;
    return { ...lineEnd, y };
  });
  let maxY = height + rowHeight / 2;
  return pushedDown.reverse().map((lineEnd) => {
    const y = Math.min(lineEnd.y, maxY);
    maxY = y - rowHeight;
    return { ...lineEnd, y };
  });
}
