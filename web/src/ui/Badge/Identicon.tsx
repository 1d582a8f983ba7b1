import { ownColorOf } from "../../core/valueColors.ts";
import styles from "./Avatar.module.css";
import { edgeOf } from "./edge.ts";
import { patternOf } from "./pattern.ts";

export interface IdenticonProps {
  seed: string;
  /** In px. */
  size?: number | undefined;
  /** The series color of its line beside it, 1 to 8, as an edge. */
  lineColor?: number | undefined;
}

/** A pattern of 5 × 5 cells that is the same for the same seed, in the seed's color. It is decoration: a name stands beside it. */
export function Identicon({ seed, size = 22, lineColor }: IdenticonProps) {
  return (
    <svg
      className={styles.identicon}
      data-tint={ownColorOf(seed)}
      data-line-color={lineColor}
      width={size}
      height={size}
      viewBox="0 0 7 7"
      style={edgeOf(lineColor)}
      aria-hidden="true"
    >
      <rect className={styles.ground} width="7" height="7" rx="1.4" />
      {patternOf(seed).map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x + 1} y={y + 1} width="1.02" height="1.02" />
      ))}
    </svg>
  );
}
