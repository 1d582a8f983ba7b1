import type { NewKey } from "../../api/keys.ts";
import { SecretDialog as Shown } from "../../ui/Dialog/SecretDialog.tsx";

export interface SecretDialogProps {
  newKey: NewKey;
  onClose: () => void;
}

/** The secret of a new key, this one time. */
export function SecretDialog({ newKey: { name, environment, prefix, secret }, onClose }: SecretDialogProps) {
  return (
    <Shown
      secret={secret}
      prefix={prefix}
      file={{ name: `${environment}.env`, text: `TALLYROOM_KEY=${secret}\n` }}
      description={
        <>
          Key <strong>{name}</strong> is ready. Tallyroom stores a fingerprint only: once this
          closes, nobody can show the secret again.
        </>
      }
      note={
        <>
          It can write and read in <strong>{environment}</strong>.
        </>
      }
      onClose={onClose}
    />
  );
}
