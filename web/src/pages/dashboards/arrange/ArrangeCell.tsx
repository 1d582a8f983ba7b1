import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./Arrange.module.css";

export interface ArrangeCellProps {
  id: string;
  /** Its place in the order, from 0. */
  index: number;
  isHeld: boolean;
  onDrop: (id: string, onto: string) => void;
  children: ReactNode;
}

/**
 * A card that can be dragged by its handle, and onto which others can be dropped.
 *
 * While a card is dragged, its old place is an empty slot, and a line shows the side of the other where it will stand.
 */
export function ArrangeCell({ id, index, isHeld, onDrop, children }: ArrangeCellProps) {
  const cell = useRef<HTMLDivElement>(null);
  const [isDragging, setDragging] = useState(false);
  const [side, setSide] = useState<"before" | "after">();
  const latest = useRef({ index, onDrop });
  useEffect(() => {
    latest.current = { index, onDrop };
  });
  useEffect(() => {
    const element = cell.current;
    const handle = element?.querySelector("[data-handle]");
    if (!element || !handle) return undefined;
    return combine(
      draggable({
        element,
        dragHandle: handle,
        getInitialData: () => ({ id, index: latest.current.index }),
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.id !== id,
        onDragEnter: ({ source }) => setSide(Number(source.data.index) < latest.current.index ? "after" : "before"),
        onDragLeave: () => setSide(undefined),
        onDrop: ({ source }) => {
          setSide(undefined);
          const { id: from } = source.data;
          if (typeof from === "string") latest.current.onDrop(from, id);
        },
      }),
    );
  }, [id]);
  return (
    <div ref={cell} className={styles.cell} data-dragged={isDragging} data-side={side} data-held={isHeld}>
      {children}
    </div>
  );
}
