import type { ReactNode } from "react";
import { formatDuration } from "../core/durations.ts";
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
  const tallestBucket = buckets.reduce((one, other) => (other.count > one.count ? other : one));
  const words =
    first.from === last.to
      ? `All took ${formatDuration(first.from)}.`
      : `From ${formatDuration(first.from)} to ${formatDuration(last.to)}, most often ${formatDuration(tallestBucket.from)} to ${formatDuration(tallestBucket.to)}.`;
  return (
    <span role="img" aria-label={words} title={words} className={styles.times}>
      <svg viewBox={`0 0 ${buckets.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {buckets.map(({ count }, index) => (
          <rect key={index} x={index + 0.1} width={0.8} y={1 - count / tallestBucket.count} height={count / tallestBucket.count} />
        ))}
      </svg>
    </span>
  );
}
