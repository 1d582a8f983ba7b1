import type { Plot } from "../../../charts/plot.ts";
import styles from "./RaceFlags.module.css";
import { placeFlags } from "./raceFlags.ts";

/** A moment at which one bot passed another. */
export interface CrossingFlag {
  /** In milliseconds since 1970. */
  time: number;
  label: string;
}

/** Lines down the plot where one bot passed another, with words above it. The summary of the chart has all of them. */
export function RaceFlags({ plot, flags }: { plot: Plot; flags: readonly CrossingFlag[] }) {
  const flagsInPlot = flags.flatMap(({ time, label }) => {
    const x = plot.xOfTime(time);
    return x === null ? [] : [{ x, label }];
  });
  return placeFlags(flagsInPlot, plot.width).map(({ x, label, side, row }, index) => (
    <span key={index} className={styles.flag} data-side={side} data-row={row} aria-hidden="true" style={{ left: x }}>
      <span>{label}</span>
    </span>
  ));
}
