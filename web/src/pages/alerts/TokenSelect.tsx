import { ChevronDown } from "lucide-react";
import styles from "./Tokens.module.css";

export interface TokenSelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  /** The id of the sentence that says what is wrong with it. */
  complaintId?: string | undefined;
}

/** One of a few words of a sentence. */
export function TokenSelect({ label, value, onChange, options, complaintId }: TokenSelectProps) {
  return (
    <span className={styles.token} data-invalid={complaintId}>
      <select
        aria-label={label}
        aria-invalid={complaintId === undefined ? undefined : true}
        aria-describedby={complaintId}
        className={styles.select}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
    </span>
  );
}
