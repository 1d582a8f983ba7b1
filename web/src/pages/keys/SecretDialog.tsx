import { Download } from "lucide-react";
import { useState } from "react";
import type { NewKey } from "../../api/keys.ts";
import { saveFile } from "../../core/files.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyButton } from "../../ui/Code/CopyButton.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { CheckField } from "../../ui/Field/CheckField.tsx";
import styles from "./Dialogs.module.css";

export interface SecretDialogProps {
  created: NewKey;
  onClose: () => void;
}

/** The secret of a new key, this one time: the dialog closes only for somebody who says that they stored it. */
export function SecretDialog({ created: { name, environment, prefix, secret }, onClose }: SecretDialogProps) {
  const [stored, setStored] = useState(false);
  const download = () => saveFile(`TALLYROOM_KEY=${secret}\n`, "text/plain", `${environment}.env`);
  return (
    <Dialog
      title="Keep this secret now"
      width={520}
      description={
        <>
          Key <strong className={styles.strong}>{name}</strong> is ready. Tallyroom stores a fingerprint only: once this
          closes, nobody can show the secret again.
        </>
      }
      footer={
        <>
          <p className={styles.note}>
            It can write and read in <strong className={styles.strong}>{environment}</strong>.
          </p>
          <Button variant="primary" disabled={!stored} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <code className={styles.secret}>
        <span className={styles.prefix}>{prefix}</span>
        {secret.slice(prefix.length)}
      </code>
      <div className={styles.row}>
        <CopyButton text={secret} />
        <Button icon={Download} onClick={download}>
          Download .env
        </Button>
      </div>
      <CheckField label="I stored it" checked={stored} onChange={setStored} />
    </Dialog>
  );
}
