import type { ReactNode } from "react";
import { lasting } from "../core/durations.ts";
import styles from "./StepTimes.module.css";

/** How many took so many seconds. */
export interface TimesBucket {
  from: number;
  to: number;
  count: number;
}

/** How long a step took, as small bars from the shortest time to the longest. */
export function StepTimes({ buckets }: { buckets: readonly TimesBucket[] }): ReactNode {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return null;
  const most = buckets.reduce((one, other) => (other.count > one.count ? other : one));
  const words =
    first.from === last.to
      ? `All took ${lasting(first.from)}.`
      : `From ${lasting(first.from)} to ${lasting(last.to)}, most often ${lasting(most.from)} to ${lasting(most.to)}.`;
  return (
    <span role="img" aria-label={words} title={words} className={styles.times}>
      <svg viewBox={`0 0 ${buckets.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {buckets.map(({ count }, at) => (
          <rect key={at} x={at + 0.1} width={0.8} y={1 - count / most.count} height={count / most.count} />
        ))}
      </svg>
    </span>
  );
}
