import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { type Outline, rowCountOf } from "../../../widgets/outline.ts";
import styles from "./Arrange.module.css";
import { type CardSize, type Distance, isSameSize, sizeAfterDrag, stepOfKey } from "./cardSizes.ts";

export interface ResizeCornerProps {
  /** What the card is called. */
  title: string;
  /** As it is saved. */
  size: CardSize;
  /** What is known of what it shows, which decides how small it can be. */
  outline: Outline;
  /** As it would be now; null while nobody drags. */
  draggedSize: CardSize | null;
  onDrag: (size: CardSize | null) => void;
  onResize: (size: CardSize) => void;
  /** Make it so many columns and rows larger than it is by then. */
  onStep: (step: CardSize) => void;
}

interface Grip {
  start: Distance;
  cell: Distance;
}

/** The corner by which a card is resized: dragged by mouse or finger, or moved by the arrow keys. Escape ends a drag. */
export function ResizeCorner({ title, size, outline, draggedSize, onDrag, onResize, onStep }: ResizeCornerProps) {
  const gripRef = useRef<Grip | null>(null);
  const begin = (event: PointerEvent<HTMLButtonElement>) => {
    const place = event.currentTarget.closest<HTMLElement>("[data-place]");
    if (event.button !== 0 || !place?.parentElement) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    gripRef.current = { start: { x: event.clientX, y: event.clientY }, cell: cellOf(place, place.parentElement, { w: size.w, h: rowCountOf(outline, size.h) }) };
    onDrag(size);
  };
  const sizeAt = (event: PointerEvent): CardSize | null => {
    if (!gripRef.current) return null;
    const { start, cell } = gripRef.current;
    return sizeAfterDrag(size, { x: event.clientX - start.x, y: event.clientY - start.y }, cell, outline);
  };
  const drag = (event: PointerEvent) => {
    if (gripRef.current) onDrag(sizeAt(event));
  };
  const end = (newSize: CardSize | null) => {
    if (!gripRef.current) return;
    gripRef.current = null;
    onDrag(null);
    if (newSize && !isSameSize(newSize, size)) onResize(newSize);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = stepOfKey(event.key);
    if (event.key === "Escape" && gripRef.current) end(null);
    else if (step && !gripRef.current) onStep(step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {draggedSize ? (
        <span className={styles.size} aria-hidden="true">
          {draggedSize.w} × {rowCountOf(outline, draggedSize.h)}
        </span>
      ) : null}
      <button
        type="button"
        className={styles.corner}
        aria-label={`Resize ${title}`}
        title="Drag, or use the arrow keys"
        onPointerDown={begin}
        onPointerMove={drag}
        onPointerUp={(event) => end(sizeAt(event))}
        onPointerCancel={() => end(null)}
        onKeyDown={handleKey}
      />
    </>
  );
}

/** Return what one more column and row take. Where all cards have the whole width, no pointer goes far enough for a column. */
function cellOf(place: HTMLElement, grid: HTMLElement, { w, h }: CardSize): Distance {
  const { gridTemplateColumns, columnGap, rowGap } = getComputedStyle(grid);
  const isOneColumn = gridTemplateColumns.split(" ").length === 1;
  return {
    x: isOneColumn ? Infinity : (place.offsetWidth + Number.parseFloat(columnGap)) / w,
    y: (place.offsetHeight + Number.parseFloat(rowGap)) / h,
  };
}
