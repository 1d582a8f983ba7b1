import { ChevronsUpDown } from "lucide-react";
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from "react";
import type { Plot } from "../../charts/plot.ts";
import { formatExact } from "../../core/numbers.ts";
import styles from "./LimitHandle.module.css";
import { limitScaleOf } from "./limitScale.ts";

const FAR_STEP_COUNT = 10;
/** Room for the words above the line, in px. */
const WORDS_HEIGHT = 32;

export interface LimitHandleProps {
  plot: Plot;
  limit: number;
  /** Only whole numbers are measured. */
  isWhole: boolean;
  /** How often the alert would fire, in words. */
  words: string;
  onChange: (limit: number) => void;
  /** Told when the handle is taken, and when it is let go. */
  onDrag: (isDragged: boolean) => void;
}

/** Where a pointer holds the handle, in px: from the left of the plot, and below the line. */
interface Drag {
  x: number;
  offsetY: number;
}

/** The limit as a line across a chart that can be dragged, or moved with the arrow keys. */
export function LimitHandle({ plot, limit, isWhole, words, onChange, onDrag }: LimitHandleProps) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const scale = limitScaleOf(plot, isWhole);
  const y = plot.y(limit);
  const take = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { left, top } = edgesOfPlot(event);
    setDrag({ x: event.clientX - left, offsetY: event.clientY - top - y });
    onDrag(true);
  };
  const follow = (event: PointerEvent<HTMLElement>): void => {
    if (!drag) return;
    const { left, top } = edgesOfPlot(event);
    setDrag({ ...drag, x: event.clientX - left });
    onChange(scale.limitAt(event.clientY - top - drag.offsetY));
  };
  const release = (): void => {
    setDrag(null);
    onDrag(false);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const limitByKey: Partial<Record<string, number>> = {
      ArrowUp: scale.moveBy(limit, 1),
      ArrowRight: scale.moveBy(limit, 1),
      ArrowDown: scale.moveBy(limit, -1),
      ArrowLeft: scale.moveBy(limit, -1),
      PageUp: scale.moveBy(limit, FAR_STEP_COUNT),
      PageDown: scale.moveBy(limit, -FAR_STEP_COUNT),
      Home: scale.lowest,
      End: scale.highest,
    };
    const nextLimit = limitByKey[event.key];
    if (nextLimit === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(nextLimit);
  };
  return (
    <div
      className={styles.handle}
      style={{ top: y }}
      role="slider"
      tabIndex={0}
      aria-label="Threshold on the chart"
      aria-orientation="vertical"
      aria-valuemin={Math.min(scale.lowest, limit)}
      aria-valuemax={Math.max(scale.highest, limit)}
      aria-valuenow={limit}
      aria-valuetext={`${formatExact(limit)}, ${words}`}
      data-dragged={drag ? true : undefined}
      onKeyDown={handleKey}
      onPointerDown={take}
      onPointerMove={follow}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <span className={styles.grip}>
        {formatExact(limit)}
        <ChevronsUpDown size={12} strokeWidth={1.6} aria-hidden="true" />
      </span>
      <span
        className={styles.words}
        data-below={y < WORDS_HEIGHT || undefined}
        data-beside={drag ? true : undefined}
        style={{ "--x": `${drag?.x ?? 0}px` } as CSSProperties}
      >
        {words}
      </span>
    </div>
  );
}

const edgesOfPlot = ({ currentTarget }: PointerEvent<HTMLElement>): DOMRect => (currentTarget.parentElement ?? currentTarget).getBoundingClientRect();
