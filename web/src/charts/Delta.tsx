import type { ReactNode } from "react";
import { formatPercent } from "../core/numbers.ts";
import styles from "./Delta.module.css";

export interface DeltaProps {
  /** The change as a fraction: 0.25 is a quarter more. */
  share: number;
  /** Which direction is good; without one, the change has no color. */
  good?: "up" | "down" | "none" | null | undefined;
}

/** A change in percent, with an arrow for its direction and a color for what it means. */
export function Delta({ share, good }: DeltaProps): ReactNode {
  if (share === 0) return <span className={styles.delta}>no change</span>;
  const direction = share > 0 ? "up" : "down";
  const tone = good === "up" || good === "down" ? (good === direction ? "better" : "worse") : "neutral";
  return (
    <span className={styles.delta} data-tone={tone}>
      <span aria-hidden="true">{share > 0 ? "↑" : "↓"} </span>
      <span className={styles.hidden}>{direction} </span>
      {formatPercent(share)}
    </span>
  );
}
