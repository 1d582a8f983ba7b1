import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Popover } from "../../ui/Popover/Popover.tsx";
import styles from "./Tokens.module.css";

export interface TokenFormProps {
  /** What its form is about. */
  label: string;
  /** What stands in the sentence. */
  text: string;
  /** Nothing is chosen: it may be left alone. */
  isEmpty?: boolean;
  /** The id of the sentence that says what is wrong with it. */
  complaintId?: string | undefined;
  children: ReactNode;
}

/** Some words of a sentence behind which stands a small form. */
export function TokenForm({ label, text, isEmpty = false, complaintId, children }: TokenFormProps) {
  return (
    <span className={styles.token} data-invalid={complaintId} data-empty={isEmpty || undefined}>
      <Popover
        label={label}
        trigger={
          <button type="button" className={styles.face} title={text} aria-label={`${label}: ${text}`} aria-describedby={complaintId}>
            {text}
          </button>
        }
      >
        <div className={styles.form}>{children}</div>
      </Popover>
      <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
    </span>
  );
}
