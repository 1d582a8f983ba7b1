import { useId } from "react";
import type { Result } from "../../widgets/definition.ts";
import { DRAWINGS } from "../../widgets/drawings.ts";
import styles from "./DrawingPicker.module.css";
import { Thumbnail } from "./Thumbnail.tsx";
import type { Drawings } from "./useDrawings.ts";

export interface DrawingPickerProps extends Drawings {
  /** The current answer, of which the thumbnails are drawn as far as it has what they need. */
  answer: Result | undefined;
}

/** The same answer as other pictures, to choose from. It is a group of radio buttons: the arrow keys go from one to the next. */
export function DrawingPicker({ drawings, drawing, draw, answer }: DrawingPickerProps) {
  const name = useId();
  if (drawings.length === 0) return null;
  return (
    <div>
      <h2 id={`${name}-title`} className={styles.title}>
        The same answer, drawn as
      </h2>
      <div role="radiogroup" aria-labelledby={`${name}-title`} className={styles.drawings}>
        {drawings.map((choice) => (
          <label key={choice} className={styles.drawing}>
            <input type="radio" name={name} className={styles.radio} checked={choice === drawing} onChange={() => draw(choice)} />
            <span>{DRAWINGS[choice]}</span>
            <Thumbnail drawing={choice} answer={answer} />
          </label>
        ))}
      </div>
    </div>
  );
}
