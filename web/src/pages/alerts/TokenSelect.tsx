import { ChevronDown } from "lucide-react";
import styles from "./Tokens.module.css";

export interface TokenSelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  /** The id of the sentence that says what is wrong with it. */
  complaint?: string | undefined;
}

/** One of a few words of a sentence. */
export function TokenSelect({ label, value, onChange, options, complaint }: TokenSelectProps) {
  return (
    <span className={styles.token} data-invalid={complaint}>
      <select
        aria-label={label}
        aria-invalid={complaint === undefined ? undefined : true}
        aria-describedby={complaint}
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
