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
      {(links) => (
        <div className={styles.box} data-area data-invalid={links["aria-invalid"]}>
          <textarea
            {...rest}
            {...links}
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
