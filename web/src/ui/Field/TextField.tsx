import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import styles from "./Field.module.css";
import { FieldFrame, type FieldWords } from "./FieldFrame.tsx";

export interface TextFieldProps extends FieldWords, Omit<ComponentProps<"input">, "value" | "onChange" | "children"> {
  value: string;
  onChange: (text: string) => void;
  /** 36 px instead of 32. */
  large?: boolean;
  icon?: LucideIcon;
  /** Inside the border, after the text: a unit, a button. */
  suffix?: ReactNode;
  /** At the right of the label. */
  aside?: ReactNode;
}

/** A line of text, or any other input that looks like one: numbers, days, addresses. */
export function TextField({ label, hint, error, hideLabel, id, value, onChange, large = false, icon: Icon, suffix, aside, ...rest }: TextFieldProps) {
  return (
    <FieldFrame {...{ label, hint, error, id, aside }} hideLabel={hideLabel ?? false}>
      {(controlLinks) => (
        <div className={styles.box} data-large={large || undefined} data-invalid={controlLinks["aria-invalid"]}>
          {Icon ? <Icon size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
          <input {...rest} {...controlLinks} className={styles.input} value={value} onChange={(event) => onChange(event.target.value)} />
          {suffix}
        </div>
      )}
    </FieldFrame>
  );
}
