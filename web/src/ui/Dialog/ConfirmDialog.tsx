import { type ReactNode, useState } from "react";
import { TextField } from "../Field/TextField.tsx";
import { FormDialog } from "./FormDialog.tsx";

export interface ConfirmDialogProps {
  title: string;
  /** What will be gone, and for whom. */
  detail: ReactNode;
  /** The word on the button that does it. */
  confirm: string;
  /** What must be typed before it can be done. */
  word?: string | undefined;
  busy?: boolean;
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Ask before something that cannot be undone. */
export function ConfirmDialog({ detail, confirm, word, onConfirm, ...frame }: ConfirmDialogProps) {
  const [confirmation, setConfirmation] = useState("");
  const ready = word === undefined || confirmation.trim() === word;
  return (
    <FormDialog {...frame} description={detail} submit={confirm} danger disabled={!ready} onSubmit={onConfirm}>
      {word === undefined ? null : (
        <TextField label={`Type ${word} to go on`} value={confirmation} onChange={setConfirmation} autoComplete="off" spellCheck={false} />
      )}
    </FormDialog>
  );
}
