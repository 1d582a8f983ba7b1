import { useId } from "react";
import { Hidden } from "../ui/Hidden/Hidden.tsx";
import styles from "./ColorField.module.css";
import { ANNOTATION_COLORS, type AnnotationColor, cssColorOf } from "./annotationColors.ts";

export interface ColorFieldProps {
  /** As it is saved. */
  color: string;
  onChange: (color: string) => void;
}

/** One of six colors; a color that came from elsewhere is a seventh. */
export function ColorField({ color, onChange }: ColorFieldProps) {
  const name = useId();
  const currentColor = cssColorOf(color);
  const isOffered = ANNOTATION_COLORS.some(({ cssColor }) => cssColor === currentColor);
  const extraColors: AnnotationColor[] = isOffered ? [] : [{ value: color, name: color, cssColor: currentColor }];
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>Color</legend>
      <div className={styles.colors}>
        {[...ANNOTATION_COLORS, ...extraColors].map((option) => (
          <label key={option.value} className={styles.color} style={{ color: option.cssColor }} title={option.name}>
            <input type="radio" name={name} className={styles.input} checked={option.cssColor === currentColor} onChange={() => onChange(option.value)} />
            <Hidden>{option.name}</Hidden>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
