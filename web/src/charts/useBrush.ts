import { type PointerEvent, useRef, useState } from "react";

/** The first and the last bucket of a selection. */
export type BucketSpan = readonly [first: number, last: number];

export interface Brush {
  /** What is selected; null for nothing. */
  span: BucketSpan | null;
  /** Extend the selection, or begin one at `from`, to a bucket. */
  extend: (from: number, to: number) => void;
  clear: () => void;
  /** Give up what the pointer is selecting: its release selects nothing, and its click means nothing else. */
  cancel: () => void;
  /** Return whether the pointer has just selected something, so that its click means nothing else. */
  takeClick: () => boolean;
  pointerHandlers: Partial<Record<"onPointerDown" | "onPointerUp" | "onPointerCancel", (event: PointerEvent) => void>>;
  /** Follow the pointer to a bucket. */
  follow: (bucket: number) => void;
}

/**
 * Select buckets of a chart: a mouse or pen drags over them, keys extend the selection. A finger scrolls and reads
 * values, so it does not select. Without `onSelect`, nothing can be selected.
 */
export function useBrush(bucketAt: (event: PointerEvent) => number, onSelect: ((span: BucketSpan) => void) | undefined): Brush {
  const [ends, setEnds] = useState<{ anchor: number; head: number } | null>(null);
  const dragAnchor = useRef<number | null>(null);
  const hasDragged = useRef(false);
  const clear = (): void => {
    dragAnchor.current = null;
    setEnds(null);
  };
  const begin = (event: PointerEvent): void => {
    hasDragged.current = false;
    if (event.button !== 0 || event.pointerType === "touch") return;
    event.currentTarget.setPointerCapture(event.pointerId);
    dragAnchor.current = bucketAt(event);
  };
  const end = (event: PointerEvent): void => {
    const anchor = dragAnchor.current;
    const head = bucketAt(event);
    clear();
    if (anchor === null || anchor === head) return;
    hasDragged.current = true;
    onSelect?.([Math.min(anchor, head), Math.max(anchor, head)]);
  };
  return {
    span: ends && [Math.min(ends.anchor, ends.head), Math.max(ends.anchor, ends.head)],
    extend: (from, to) => onSelect && setEnds((current) => ({ anchor: current?.anchor ?? from, head: to })),
    clear,
    cancel: () => {
      hasDragged.current = dragAnchor.current !== null;
      clear();
    },
    takeClick: () => {
      const isTaken = hasDragged.current;
      hasDragged.current = false;
      return isTaken;
    },
    pointerHandlers: onSelect ? { onPointerDown: begin, onPointerUp: end, onPointerCancel: clear } : {},
    follow: (bucket) => {
      const anchor = dragAnchor.current;
      if (anchor !== null) setEnds(anchor === bucket ? null : { anchor, head: bucket });
    },
  };
}
