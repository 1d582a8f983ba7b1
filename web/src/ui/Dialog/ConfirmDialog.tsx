import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { Button } from "../Button/Button.tsx";
import { FormError } from "../Field/FormError.tsx";
import { TextField } from "../Field/TextField.tsx";
import { Dialog } from "./Dialog.tsx";
import styles from "./Dialog.module.css";

export interface ConfirmDialogProps {
  title: string;
  /** What will be gone, and for whom. */
  detail: ReactNode;
  /** The word on the button that does it. */
  confirm: string;
  /** What must be typed before it can be done. */
  word?: string;
  busy?: boolean;
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Ask before something that cannot be undone. */
export function ConfirmDialog({ title, detail, confirm, word, busy = false, error, onConfirm, onClose }: ConfirmDialogProps) {
  const form = useId();
  const [typed, setTyped] = useState("");
  const ready = word === undefined || typed.trim() === word;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (ready && !busy) onConfirm();
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={form} variant="danger" disabled={!ready} busy={busy}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} description={detail} onClose={onClose} footer={buttons}>
      <form id={form} className={styles.form} onSubmit={submit}>
        {word === undefined ? null : (
          <TextField label={`Type ${word} to go on`} value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} />
        )}
        <FormError text={error} />
      </form>
    </Dialog>
  );
}
