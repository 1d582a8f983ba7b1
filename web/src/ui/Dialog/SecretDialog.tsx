import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { saveFile } from "../../core/files.ts";
import { Button } from "../Button/Button.tsx";
import { CopyButton } from "../Code/CopyButton.tsx";
import { CheckField } from "../Field/CheckField.tsx";
import { Dialog } from "./Dialog.tsx";
import styles from "./SecretDialog.module.css";

export interface SecretDialogProps {
  /** What it is, and that it is shown this once. */
  description: ReactNode;
  secret: string;
  /** The beginning of the secret that stays visible later. */
  prefix?: string;
  /** What else is to be said of it. */
  footnote?: ReactNode;
  /** How to use it, below the buttons. */
  example?: ReactNode;
  /** What it can do, at the foot. */
  note: ReactNode;
  /** The file that can be downloaded. */
  file?: { name: string; text: string };
  onClose: () => void;
}

/** A new secret, this one time: the dialog closes only for somebody who says that they stored it. */
export function SecretDialog({ description, secret, prefix = "", footnote, example, note, file, onClose }: SecretDialogProps) {
  const [isStored, setStored] = useState(false);
  return (
    <Dialog
      title="Save this secret now"
      width={520}
      description={description}
      footer={
        <>
          <p className={styles.note}>{note}</p>
          <Button variant="primary" disabled={!isStored} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <code className={styles.secret}>
        <span className={styles.prefix}>{prefix}</span>
        {secret.slice(prefix.length)}
      </code>
      {footnote}
      <div className={styles.row}>
        <CopyButton text={secret} />
        {file ? (
          <Button icon={Download} onClick={() => saveFile(file.text, "text/plain", file.name)}>
            Download .env
          </Button>
        ) : null}
      </div>
      {example}
      <CheckField label="I saved it" checked={isStored} onChange={setStored} />
    </Dialog>
  );
}
