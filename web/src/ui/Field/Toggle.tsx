import { Check } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./Toggle.module.css";

export interface ToggleProps extends Omit<ComponentProps<"input">, "checked" | "onChange" | "type" | "children"> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  checked: boolean;
  /** It stands at the right of its words, at the end of the line. */
  atEnd?: boolean;
  onChange: (checked: boolean) => void;
}

/** A control that is on or off, with its words beside it. */
export function Toggle({ label, hint, error, checked, onChange, look, atEnd = false, ...rest }: ToggleProps & { look: "switch" | "box" }) {
  const id = useId();
  const noteText = error ?? hint;
  return (
    <div className={styles.field} data-at-end={atEnd || undefined}>
      <span className={styles.control} data-look={look}>
        <input
          {...rest}
          id={id}
          type="checkbox"
          role={look === "switch" ? "switch" : undefined}
          className={styles.input}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={noteText ? `${id}-note` : undefined}
          aria-invalid={error ? true : undefined}
        />
        {look === "box" ? <Check className={styles.tick} size={12} strokeWidth={3} aria-hidden="true" /> : null}
      </span>
      <div className={styles.words}>
        <label htmlFor={id}>{label}</label>
        {noteText ? (
          <p id={`${id}-note`} className={styles.note} data-error={error ? true : undefined}>
            {noteText}
          </p>
        ) : null}
      </div>
    </div>
  );
}
