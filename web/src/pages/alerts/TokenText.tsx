import styles from "./Tokens.module.css";

export interface TokenTextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** It holds a number, so that phones show digits. */
  isNumber?: boolean;
  maxLength?: number;
  /** The id of the sentence that says what is wrong with it. */
  complaint?: string | undefined;
}

/** A number or a formula that is typed into a sentence. */
export function TokenText({ label, value, onChange, isNumber = false, maxLength = 40, complaint }: TokenTextProps) {
  return (
    <span className={styles.token} data-invalid={complaint}>
      <input
        type="text"
        inputMode={isNumber ? "decimal" : "text"}
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-invalid={complaint === undefined ? undefined : true}
        aria-describedby={complaint}
        className={`${styles.input} ${styles.number}`}
        maxLength={maxLength}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}
