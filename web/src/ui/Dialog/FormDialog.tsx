import { type ReactNode, type SubmitEvent, useId } from "react";
import { Button } from "../Button/Button.tsx";
import { FormError } from "../Field/FormError.tsx";
import { Dialog, type DialogProps } from "./Dialog.tsx";
import styles from "./Dialog.module.css";

export interface FormDialogProps extends Omit<DialogProps, "onClose" | "footer" | "hideTitle"> {
  /** The word on the button that submits it. */
  submit: string;
  /** It deletes something, so the button is red. */
  danger?: boolean;
  /** It cannot be submitted as it is. */
  disabled?: boolean;
  /** It was submitted, and the answer is awaited. */
  busy?: boolean;
  /** Why it was not accepted, unless a field says so. */
  error?: string | null | undefined;
  /** What follows the form and is no part of it. */
  below?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
}

/** A dialog to fill in: its fields, why they were not accepted, and at its foot the ways to leave and to submit it. */
export function FormDialog({ submit, danger = false, disabled = false, busy = false, error, below, onSubmit, children, ...frame }: FormDialogProps) {
  const form = useId();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (!disabled && !busy) onSubmit();
  };
  const buttons = (
    <>
      <Button onClick={frame.onClose}>Cancel</Button>
      <Button type="submit" form={form} variant={danger ? "danger" : "primary"} disabled={disabled} busy={busy}>
        {submit}
      </Button>
    </>
  );
  return (
    <Dialog {...frame} footer={buttons}>
      <form id={form} className={styles.form} onSubmit={send}>
        {children}
        <FormError text={error} />
      </form>
      {below}
    </Dialog>
  );
}
