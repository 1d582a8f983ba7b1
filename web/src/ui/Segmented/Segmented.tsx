import { type ReactNode, useId } from "react";
import styles from "./Segmented.module.css";

export interface SegmentedProps<Value extends string> {
  label: string;
  /** The chosen value; "" when none of them is. */
  value: Value | "";
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
  small?: boolean;
}

/** A few choices side by side. It is a group of radio buttons: the arrow keys go from one to the next. */
export function Segmented<Value extends string>({ label, value, onChange, options, small = false }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.group} data-small={small || undefined}>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
