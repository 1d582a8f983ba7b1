import { type PointerEvent, type ReactNode, useState } from "react";
import type { Plot } from "./plot.ts";
import styles from "./AnnotateStrip.module.css";

export interface AnnotateStripProps {
  plot: Plot;
  /** The bucket under the cursor; null while there is none. */
  bucket: number | null;
  onBucketChange: (bucket: number | null) => void;
  onAnnotate: (bucket: number) => void;
}

/** The place of the axis, where the mouse marks a moment. The keys do it with `a`, so it is nothing to them. */
export function AnnotateStrip({ plot, bucket, onBucketChange, onAnnotate }: AnnotateStripProps): ReactNode {
  const [isHovered, setHovered] = useState(false);
  const bucketUnder = (event: PointerEvent | React.MouseEvent): number =>
    plot.nearestBucket(event.clientX - event.currentTarget.getBoundingClientRect().left);
  const handleMove = (event: PointerEvent): void => {
    setHovered(true);
    onBucketChange(bucketUnder(event));
  };
  const handleLeave = (): void => {
    setHovered(false);
    onBucketChange(null);
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      className={styles.strip}
      onPointerMove={handleMove}
      onPointerLeave={handleLeave}
      onClick={(event) => {
        handleLeave();
        onAnnotate(bucketUnder(event));
      }}
    >
      {isHovered && bucket !== null && (
        <span className={styles.word} style={{ left: Math.min(Math.max(plot.x(bucket), 40), plot.width - 40) }}>
          + Annotate
        </span>
      )}
    </button>
  );
}
