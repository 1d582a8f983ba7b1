import { type ReactNode, useId } from "react";
import styles from "./Field.module.css";

/** What every field says about itself. */
export interface FieldWords {
  label: string;
  /** A line below that helps to fill it in. */
  hint?: ReactNode;
  /** What is wrong with it. It stands in place of the hint. */
  error?: string | null | undefined;
  /** The label is there for assistive technology only. */
  hideLabel?: boolean;
}

/** The attributes that link a control to its label, hint and error. */
export interface ControlLinks {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

export interface FieldFrameProps extends FieldWords {
  /** The id of the control, if the page needs to know it. */
  id?: string | undefined;
  /** Stands at the right of the label. */
  aside?: ReactNode;
  children: (controlLinks: ControlLinks) => ReactNode;
}

/** A label above a control, and a hint or an error below it, linked to it. */
export function FieldFrame({ label, hint, error, hideLabel = false, id: idProp, aside, children }: FieldFrameProps) {
  const generatedId = useId();
  const id = idProp ?? generatedId;
  const noteText = error ?? hint;
  const noteId = `${id}-note`;
  return (
    <div className={styles.field}>
      <div className={styles.above} data-hidden={hideLabel || undefined}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        "aria-describedby": noteText ? noteId : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {noteText ? (
        <p id={noteId} className={styles.note} data-error={error ? true : undefined}>
          {noteText}
        </p>
      ) : null}
    </div>
  );
}
