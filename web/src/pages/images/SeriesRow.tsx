import { GripVertical, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { countInWords } from "../../core/numbers.ts";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { ColorInput } from "./ColorInput.tsx";
import type { Series } from "./picture.ts";
import styles from "./SeriesRow.module.css";

export interface SeriesRowProps {
  series: Series;
  /** From 0. */
  index: number;
  seriesCount: number;
  color: string;
  onChange: (change: Partial<Series>) => void;
  /** Change its points. */
  onEdit: () => void;
  onMove: (toIndex: number) => void;
  onRemove: () => void;
  onDrag: () => void;
  /** Another one was dropped here. */
  onDrop: () => void;
}

/** One line of the picture. Its handle drags it, takes the arrow keys, and opens a menu that moves it. */
export function SeriesRow({ series: { name, points }, index, seriesCount, color, onChange, onEdit, onMove, onRemove, onDrag, onDrop }: SeriesRowProps) {
  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0 || (event.target as HTMLElement).role === "menuitem") return;
    event.preventDefault();
    onMove(index + step);
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is dropped here; the handle has keys and a menu
    <li className={styles.row} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the button inside has the keys */}
      <span className={styles.handle} draggable onDragStart={onDrag} onKeyDown={handleKey}>
        <Menu
          label={`Move ${name}`}
          align="start"
          trigger={<IconButton label={`Move ${name}`} icon={GripVertical} small />}
          items={[
            { label: "Move up", disabled: index === 0, onSelect: () => onMove(index - 1) },
            { label: "Move down", disabled: index === seriesCount - 1, onSelect: () => onMove(index + 1) },
          ]}
        />
      </span>
      <ColorInput label={`Color of ${name}`} value={color} onChange={(newColor) => onChange({ color: newColor })} />
      <input className={styles.name} aria-label={`Name of series ${index + 1}`} value={name} maxLength={100} onChange={(event) => onChange({ name: event.target.value })} />
      <button type="button" className={styles.points} aria-label={`${countInWords(points.length, "point")} of ${name}`} onClick={onEdit}>
        {countInWords(points.length, "point")}
      </button>
      <IconButton label={`Remove ${name}`} icon={X} small onClick={onRemove} />
    </li>
  );
}
