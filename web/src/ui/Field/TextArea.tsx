import type { ComponentProps } from "react";
import styles from "./Field.module.css";
import { FieldFrame, type FieldWords } from "./FieldFrame.tsx";

export interface TextAreaProps extends FieldWords, Omit<ComponentProps<"textarea">, "value" | "onChange" | "children"> {
  value: string;
  onChange: (text: string) => void;
}

/** Text of several lines. */
export function TextArea({ label, hint, error, hideLabel, id, value, onChange, rows = 4, ...rest }: TextAreaProps) {
  return (
    <FieldFrame {...{ label, hint, error, id }} hideLabel={hideLabel ?? false}>
      {(controlLinks) => (
        <div className={styles.box} data-area data-invalid={controlLinks["aria-invalid"]}>
          <textarea
            {...rest}
            {...controlLinks}
            rows={rows}
            className={styles.input}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </FieldFrame>
  );
}
