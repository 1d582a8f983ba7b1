import { type PointerEvent, type ReactNode, useState } from "react";
import type { Plot } from "./plot.ts";
import styles from "./AnnotateStrip.module.css";

export interface AnnotateStripProps {
  plot: Plot;
  /** The bucket under the cursor; null while there is none. */
  at: number | null;
  onPoint: (at: number | null) => void;
  onAnnotate: (at: number) => void;
}

/** The place of the axis, where the mouse marks a moment. The keys do it with `a`, so it is nothing to them. */
export function AnnotateStrip({ plot, at, onPoint, onAnnotate }: AnnotateStripProps): ReactNode {
  const [isOver, setOver] = useState(false);
  const nearest = (event: PointerEvent | React.MouseEvent): number =>
    plot.nearest(event.clientX - event.currentTarget.getBoundingClientRect().left);
  const follow = (event: PointerEvent): void => {
    setOver(true);
    onPoint(nearest(event));
  };
  const leave = (): void => {
    setOver(false);
    onPoint(null);
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      className={styles.strip}
      onPointerMove={follow}
      onPointerLeave={leave}
      onClick={(event) => {
        leave();
        onAnnotate(nearest(event));
      }}
    >
      {isOver && at !== null && (
        <span className={styles.word} style={{ left: Math.min(Math.max(plot.x(at), 40), plot.width - 40) }}>
          + Annotate
        </span>
      )}
    </button>
  );
}
