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
  /** Beside the buttons: whether it is kept. */
  note?: ReactNode;
  /** What follows the form and is no part of it. */
  footnote?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
}

/** A dialog to fill in: its fields, why they were not accepted, and at its foot the ways to leave and to submit it. */
export function FormDialog({ submit, danger = false, disabled = false, busy = false, error, note, footnote, onSubmit, children, ...dialogProps }: FormDialogProps) {
  const formId = useId();
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!disabled && !busy) onSubmit();
  };
  const buttons = (
    <>
      {note ? <div className={styles.note}>{note}</div> : null}
      <Button onClick={dialogProps.onClose}>Cancel</Button>
      <Button type="submit" form={formId} variant={danger ? "danger" : "primary"} disabled={disabled} busy={busy}>
        {submit}
      </Button>
    </>
  );
  return (
    <Dialog {...dialogProps} footer={buttons}>
      <form id={formId} className={styles.form} onSubmit={handleSubmit}>
        {children}
        <FormError text={error} />
      </form>
      {footnote}
    </Dialog>
  );
}
