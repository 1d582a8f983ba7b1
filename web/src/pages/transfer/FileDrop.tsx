import { Upload } from "lucide-react";
import { useState } from "react";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import styles from "./FileDrop.module.css";

export interface FileDropProps {
  onFile: (file: File) => void;
  /** Why the last one cannot be read. */
  error: string | null;
}

/** The place for a file: drop it, or choose it. The field of the browser covers it, and takes what is dropped. */
export function FileDrop({ onFile, error }: FileDropProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  return (
    <div className={styles.outer}>
      <div className={styles.place} data-over={isDraggedOver || undefined}>
        <Upload size={20} strokeWidth={1.6} aria-hidden="true" />
        <p className={styles.title}>Drop a file here</p>
        <p className={styles.hint}>CSV or NDJSON of any size. Nothing is sent until you confirm.</p>
        <span className={`${buttonClass()} ${styles.button}`} aria-hidden="true">
          Choose a file
        </span>
        <input
          type="file"
          className={styles.input}
          aria-label="Choose a file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json"
          onDragEnter={() => setIsDraggedOver(true)}
          onDragLeave={() => setIsDraggedOver(false)}
          onDrop={() => setIsDraggedOver(false)}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) onFile(file);
            event.target.value = "";
          }}
        />
      </div>
      <FormError text={error} />
    </div>
  );
}
