import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type ReactNode, useEffect, useRef, useState } from "react";
import styles from "./Arrange.module.css";

export interface ArrangeCellProps {
  id: string;
  held: boolean;
  onDrop: (id: string, onto: string) => void;
  children: ReactNode;
}

/** A card that can be dragged by its handle, and onto which others can be dropped. */
export function ArrangeCell({ id, held, onDrop, children }: ArrangeCellProps) {
  const cell = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState(false);
  const [over, setOver] = useState(false);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  useEffect(() => {
    const element = cell.current;
    const handle = element?.querySelector("[data-handle]");
    if (!element || !handle) return undefined;
    return combine(
      draggable({
        element,
        dragHandle: handle,
        getInitialData: () => ({ id }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.id !== id,
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source }) => {
          setOver(false);
          const { id: from } = source.data;
          if (typeof from === "string") drop.current(from, id);
        },
      }),
    );
  }, [id]);
  return (
    <div ref={cell} className={styles.cell} data-dragged={dragged} data-over={over} data-held={held}>
      {children}
    </div>
  );
}
