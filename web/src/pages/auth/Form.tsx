import type { ReactNode, SubmitEvent } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import styles from "./Form.module.css";

export interface FormProps {
  /** The words on its only button. */
  submitLabel: string;
  busy: boolean;
  /** Why it was refused, when no field says so. */
  error?: string | null;
  onSubmit: () => void;
  children: ReactNode;
}

/** A form of one column with one button, as password managers understand it. */
export function Form({ submitLabel, busy, error, onSubmit, children }: FormProps) {
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <form className={styles.form} method="post" onSubmit={handleSubmit}>
      {children}
      <FormError text={error} />
      <Button type="submit" variant="primary" wide large busy={busy}>
        {submitLabel}
      </Button>
    </form>
  );
}
