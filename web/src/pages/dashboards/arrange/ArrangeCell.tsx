import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./Arrange.module.css";

export interface ArrangeCellProps {
  id: string;
  /** Its place in the order, from 0. */
  index: number;
  isHeld: boolean;
  onDrop: (id: string, targetId: string) => void;
  children: ReactNode;
}

/**
 * A card that can be dragged by its handle, and onto which others can be dropped.
 *
 * While a card is dragged, its old place is an empty slot, and a line shows the side of the other where it will stand.
 */
export function ArrangeCell({ id, index, isHeld, onDrop, children }: ArrangeCellProps) {
  const cellRef = useRef<HTMLDivElement>(null);
  const [isDragging, setDragging] = useState(false);
  const [dropSide, setDropSide] = useState<"before" | "after">();
  const latestRef = useRef({ index, onDrop });
  useEffect(() => {
    latestRef.current = { index, onDrop };
  });
  useEffect(() => {
    const element = cellRef.current;
    const handle = element?.querySelector("[data-handle]");
    if (!element || !handle) return undefined;
    return combine(
      draggable({
        element,
        dragHandle: handle,
        getInitialData: () => ({ id, index: latestRef.current.index }),
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.id !== id,
        onDragEnter: ({ source }) => setDropSide(Number(source.data.index) < latestRef.current.index ? "after" : "before"),
        onDragLeave: () => setDropSide(undefined),
        onDrop: ({ source }) => {
          setDropSide(undefined);
          const { id: draggedId } = source.data;
          if (typeof draggedId === "string") latestRef.current.onDrop(draggedId, id);
        },
      }),
    );
  }, [id]);
  return (
    <div ref={cellRef} className={styles.cell} data-dragged={isDragging} data-side={dropSide} data-held={isHeld}>
      {children}
    </div>
  );
}
