import { X } from "lucide-react";
import { countInWords } from "../../core/numbers.ts";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { MoveHandle } from "../../ui/MoveHandle/MoveHandle.tsx";
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

/** One line of the picture. */
export function SeriesRow({ series: { name, points }, index, seriesCount, color, onChange, onEdit, onMove, onRemove, onDrag, onDrop }: SeriesRowProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is dropped here; the handle has keys and a menu
    <li className={styles.row} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <MoveHandle name={name} index={index} count={seriesCount} onMove={onMove} onDrag={onDrag} />
      <ColorInput label={`Color of ${name}`} value={color} onChange={(newColor) => onChange({ color: newColor })} />
      <input className={styles.name} aria-label={`Name of series ${index + 1}`} value={name} maxLength={100} onChange={(event) => onChange({ name: event.target.value })} />
      <button type="button" className={styles.points} aria-label={`${countInWords(points.length, "point")} of ${name}`} onClick={onEdit}>
        {countInWords(points.length, "point")}
      </button>
      <IconButton label={`Remove ${name}`} icon={X} small onClick={onRemove} />
    </li>
  );
}
