import styles from "./Avatar.module.css";
import { patternOf } from "./pattern.ts";

export interface IdenticonProps {
  seed: string;
  /** In px. */
  size?: number | undefined;
  /** A series color, 1 to 8, of what it stands for; the seed's own unless given. */
  tint?: number | undefined;
}

/** A pattern of 5 × 5 cells that is the same for the same seed. It is decoration: a name stands beside it. */
export function Identicon({ seed, size = 22, tint }: IdenticonProps) {
  const { cells, tint: ownTint } = patternOf(seed);
  return (
    <svg className={styles.identicon} data-tint={tint ?? ownTint} width={size} height={size} viewBox="0 0 7 7" aria-hidden="true">
      <rect className={styles.ground} width="7" height="7" rx="1.4" />
      {cells.map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x + 1} y={y + 1} width="1.02" height="1.02" />
      ))}
    </svg>
  );
}
