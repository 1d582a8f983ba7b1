import type { ReactNode } from "react";
import { rampColors, RAMP_STEPS } from "./colors.ts";
import styles from "./RampKey.module.css";

/** What the shades of a chart mean: from nothing to the most, in words such as "4,912" or "100 %". */
export function RampKey({ most }: { most: string }): ReactNode {
  return (
    <span className={styles.key} role="img" aria-label={`Shades from 0 to ${most}`}>
      <span>0</span>
      {Array.from({ length: RAMP_STEPS }, (_, at) => (
        <i key={at} style={rampColors(at + 1)} />
      ))}
      <span>{most}</span>
    </span>
  );
}
