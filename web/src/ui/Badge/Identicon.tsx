import styles from "./Avatar.module.css";
import { patternOf } from "./pattern.ts";

/** A pattern of 5 × 5 cells that is the same for the same seed. It is decoration: a name stands beside it. */
export function Identicon({ seed, size = 22 }: { seed: string; size?: number }) {
  const { cells, tint } = patternOf(seed);
  return (
    <svg className={styles.identicon} data-tint={tint} width={size} height={size} viewBox="0 0 7 7" aria-hidden="true">
      <rect className={styles.ground} width="7" height="7" rx="1.4" />
      {cells.map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x + 1} y={y + 1} width="1.02" height="1.02" />
      ))}
    </svg>
  );
}
