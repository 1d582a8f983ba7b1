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
  const [firstBucket, lastBucket] = [buckets[0], buckets.at(-1)];
  if (!firstBucket || !lastBucket) return null;
  const tallestBucket = buckets.reduce((tallest, bucket) => (bucket.count > tallest.count ? bucket : tallest));
  const description =
    firstBucket.from === lastBucket.to
      ? `All took ${formatDuration(firstBucket.from)}.`
      : `From ${formatDuration(firstBucket.from)} to ${formatDuration(lastBucket.to)}, most often ${formatDuration(tallestBucket.from)} to ${formatDuration(tallestBucket.to)}.`;
  return (
    <span role="img" aria-label={description} title={description} className={styles.times}>
      <svg viewBox={`0 0 ${buckets.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {buckets.map(({ count }, index) => (
          <rect key={index} x={index + 0.1} width={0.8} y={1 - count / tallestBucket.count} height={count / tallestBucket.count} />
        ))}
      </svg>
    </span>
  );
}
