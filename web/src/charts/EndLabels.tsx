import type { ReactNode } from "react";
import { seriesColor } from "./colors.ts";
import styles from "./EndLabels.module.css";
import type { Plot } from "./plot.ts";
import type { TimeLine } from "./series.ts";

/** From this number of series on, colors alone no longer tell lines apart. */
export const END_LABELS_FROM = 5;
const ROW = 15;

/** The names of lines beside their ends, moved apart where lines end near each other. */
export function EndLabels({ plot, line, positions }: { plot: Plot; line: TimeLine; positions: readonly number[] }): ReactNode {
  const ends = line.series
    .map(({ name, values, isRest }, index) => {
      const last = values.findLast((value) => value !== null) ?? 0;
      return { name, y: plot.y(last), color: seriesColor(positions[index] ?? index, isRest) };
    })
    .sort((one, other) => one.y - other.y);
  const most = Math.max(Math.floor(plot.height / ROW), 1);
  return spreadLabels(ends.slice(0, most), plot.height).map(({ name, color, y }) => (
    <span key={name} className={styles.label} aria-hidden="true" style={{ top: y }}>
      <i style={{ color }} />
      <span>{name}</span>
    </span>
  ));
}

function spreadLabels<End extends { y: number }>(ends: readonly End[], height: number): End[] {
  let free = -ROW / 2;
  const down = ends.map((end) => {
    const y = Math.max(end.y, free);
    free = y + ROW;
    return { ...end, y };
  });
  let most = height + ROW / 2;
  return down.reverse().map((end) => {
    const y = Math.min(end.y, most);
    most = y - ROW;
    return { ...end, y };
  });
}
