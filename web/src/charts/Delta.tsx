import type { ReactNode } from "react";
import { type Change, changeInWords } from "../core/changes.ts";
import styles from "./Delta.module.css";

export interface DeltaProps {
  change: Change;
  /** What a difference is in. */
  unit?: string | null | undefined;
  /** Which direction is good; without one, the change has no color. */
  good?: "up" | "down" | "none" | null | undefined;
}

/** A change with an arrow for its direction, or its sign, and a color for what it means. */
export function Delta({ change, unit, good }: DeltaProps): ReactNode {
  const { direction, kind, text } = change;
  if (direction === "none") return <span className={styles.delta}>{text}</span>;
  const tone = good === "up" || good === "down" ? (good === direction ? "better" : "worse") : "neutral";
  const words = kind === "difference" && unit ? `${text}\u2009${unit}` : text;
  return (
    <span className={styles.delta} data-tone={tone}>
      <span aria-hidden="true">{changeInWords(change).slice(0, -text.length)}</span>
      {kind !== "difference" && <span className={styles.hidden}>{direction} </span>}
      {words}
    </span>
  );
}
