import type { ReactNode } from "react";
import { type Choice, SelectField } from "../ui/Field/SelectField.tsx";
import styles from "./FormSection.module.css";

export interface FormSectionProps {
  /** What the fields are about; it names their group. */
  title?: string;
  /** The fields say themselves what they are about: the title is for assistive technology only. */
  hideTitle?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a form between two hairlines. */
export function FormSection({ title, hideTitle = false, aside, children }: FormSectionProps): ReactNode {
  return (
    <div role="group" aria-label={title} className={styles.section}>
      {title !== undefined && !hideTitle && (
        <div className={styles.head}>
          <span aria-hidden="true">{title}</span>
          {aside}
        </div>
      )}
      {children}
    </div>
  );
}

/** Words at the left of a small control that names itself. */
export function FormLine({ words, children }: { words: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.line}>
      <span aria-hidden="true">{words}</span>
      {children}
    </div>
  );
}

export interface FormSelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly Choice[];
}

/** One of a few choices at the right of the words that name it. */
export function FormSelect(props: FormSelectProps): ReactNode {
  return (
    <FormLine words={props.label}>
      <SelectField {...props} small hideLabel />
    </FormLine>
  );
}

/** Two short fields side by side. */
export function FormPair({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.pair}>{children}</div>;
}

/** A line that helps to fill in what is above it. */
export function FormNote({ children }: { children: ReactNode }): ReactNode {
  return <p className={styles.note}>{children}</p>;
}

/** Buttons of a form, as wide as their words. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}
