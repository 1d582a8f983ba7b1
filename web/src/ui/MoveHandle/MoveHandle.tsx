import { GripVertical } from "lucide-react";
import type { KeyboardEvent } from "react";
import { IconButton } from "../Button/IconButton.tsx";
import { Menu } from "../Menu/Menu.tsx";
import styles from "./MoveHandle.module.css";

export interface MoveHandleProps {
  /** What it moves. */
  name: string;
  /** From 0. */
  index: number;
  /** Of all that can be moved. */
  count: number;
  onMove: (toIndex: number) => void;
  /** Dragging begins. Whatever it is dropped on moves it. */
  onDrag: () => void;
}

/** A handle that moves a row of a list: it drags it, takes the arrow keys, and opens a menu for fingers. */
export function MoveHandle({ name, index, count, onMove, onDrag }: MoveHandleProps) {
  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0 || (event.target as HTMLElement).role === "menuitem") return;
    event.preventDefault();
    onMove(index + step);
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the button inside has the keys
    <span className={styles.handle} draggable onDragStart={onDrag} onKeyDown={handleKey}>
      <Menu
        label={`Move ${name}`}
        align="start"
        trigger={<IconButton label={`Move ${name}`} icon={GripVertical} small />}
        items={[
          { label: "Move up", disabled: index === 0, onSelect: () => onMove(index - 1) },
          { label: "Move down", disabled: index === count - 1, onSelect: () => onMove(index + 1) },
        ]}
      />
    </span>
  );
}
