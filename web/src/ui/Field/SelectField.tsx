import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import styles from "./Field.module.css";
import { FieldFrame, type FieldWords } from "./FieldFrame.tsx";

export interface Choice {
  value: string;
  label: string;
}

export interface SelectFieldProps extends FieldWords, Omit<ComponentProps<"select">, "value" | "onChange" | "children"> {
  value: string;
  onChange: (value: string) => void;
  options: readonly Choice[];
  small?: boolean;
}

/** One of a few choices, in the list of the browser. */
export function SelectField({ label, hint, error, hideLabel, id, value, onChange, options, small = false, ...rest }: SelectFieldProps) {
  return (
    <FieldFrame {...{ label, hint, error, id }} hideLabel={hideLabel ?? false}>
      {(controlLinks) => (
        <div className={styles.box} data-select data-small={small || undefined} data-invalid={controlLinks["aria-invalid"]}>
          <select {...rest} {...controlLinks} className={styles.select} value={value} onChange={(event) => onChange(event.target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown className={styles.arrow} size={14} strokeWidth={1.6} aria-hidden="true" />
        </div>
      )}
    </FieldFrame>
  );
}
