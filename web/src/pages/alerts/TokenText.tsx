import styles from "./Tokens.module.css";

export interface TokenTextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** It holds a number, so that phones show digits. */
  isNumeric?: boolean;
  maxLength?: number;
  /** The id of the sentence that says what is wrong with it. */
  complaintId?: string | undefined;
}

/** A number or a formula that is typed into a sentence. */
export function TokenText({ label, value, onChange, isNumeric = false, maxLength = 40, complaintId }: TokenTextProps) {
  return (
    <span className={styles.token} data-invalid={complaintId}>
      <input
        type="text"
        inputMode={isNumeric ? "decimal" : "text"}
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-invalid={complaintId === undefined ? undefined : true}
        aria-describedby={complaintId}
        className={`${styles.input} ${styles.number}`}
        maxLength={maxLength}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}
