import type { ReactNode, SubmitEvent } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
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

interface FieldProps {
  value: string;
  onChange: (text: string) => void;
  error: string | null;
}

export function EmailField(props: FieldProps) {
  return <TextField label="Email" name="email" type="email" autoComplete="username" required large {...props} />;
}

export function NewPasswordField(props: FieldProps & { label: string }) {
  const hint = "At least 10 characters. A phrase is easy to remember.";
  return <PasswordField name="password" autoComplete="new-password" required large hint={hint} {...props} />;
}
