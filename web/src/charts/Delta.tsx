import type { ReactNode } from "react";
import { formatPercent } from "../core/numbers.ts";
import styles from "./Delta.module.css";

export interface DeltaProps {
  /** The change as a fraction: 0.25 is a quarter more. */
  change: number;
  /** Which direction is good; without one, the change has no color. */
  good?: "up" | "down" | "none" | null | undefined;
}

/** A change in percent, with an arrow for its direction and a color for what it means. */
export function Delta({ change, good }: DeltaProps): ReactNode {
  if (change === 0) return <span className={styles.delta}>no change</span>;
  const direction = change > 0 ? "up" : "down";
  const tone = good === "up" || good === "down" ? (good === direction ? "better" : "worse") : "neutral";
  return (
    <span className={styles.delta} data-tone={tone}>
      <span aria-hidden="true">{change > 0 ? "↑" : "↓"} </span>
      <span className={styles.hidden}>{direction} </span>
      {formatPercent(change)}
    </span>
  );
}
