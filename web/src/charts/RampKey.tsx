import type { ReactNode } from "react";
import { rampColors, RAMP_STEPS } from "./colors.ts";
import styles from "./RampKey.module.css";

/** What the shades of a chart mean: from nothing to the most, in words such as "4,912" or "100 %". */
export function RampKey({ maxLabel }: { maxLabel: string }): ReactNode {
  return (
    <span className={styles.key} role="img" aria-label={`Shades from 0 to ${maxLabel}`}>
      <span>0</span>
      {Array.from({ length: RAMP_STEPS }, (_, index) => (
        <i key={index} style={rampColors(index + 1)} />
      ))}
      <span>{maxLabel}</span>
    </span>
  );
}
