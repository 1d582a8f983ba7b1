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
  requiredWord?: string | undefined;
  busy?: boolean;
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Ask before something that cannot be undone. */
export function ConfirmDialog({ detail, confirm, requiredWord, onConfirm, ...dialogProps }: ConfirmDialogProps) {
  const [confirmation, setConfirmation] = useState("");
  const isReady = requiredWord === undefined || confirmation.trim() === requiredWord;
  return (
    <FormDialog {...dialogProps} description={detail} submit={confirm} danger disabled={!isReady} onSubmit={onConfirm}>
      {requiredWord === undefined ? null : (
        <TextField
          label={`Type ${requiredWord} to confirm`}
          value={confirmation}
          onChange={setConfirmation}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </FormDialog>
  );
}
