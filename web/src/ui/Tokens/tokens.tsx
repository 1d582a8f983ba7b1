import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { DoubtNote } from "../Combobox/DoubtNote.tsx";
import { Listbox } from "../Combobox/Listbox.tsx";
import { type ComboGiven, useCombobox } from "../Combobox/useCombobox.ts";
import { Popover } from "../Popover/Popover.tsx";
import styles from "./Tokens.module.css";

interface TokenProps {
  /** What it is about. */
  label: string;
  /** The id of the sentence that says what is wrong with it. */
  complaintId?: string | undefined;
  /** Nothing is chosen: it may be left alone. */
  isEmpty?: boolean;
}

interface TypedProps extends TokenProps {
  value: string;
  onChange: (value: string) => void;
}

const ariaProps = ({ label, complaintId }: TokenProps) => ({
  "aria-label": label,
  "aria-invalid": complaintId === undefined ? undefined : true,
  "aria-describedby": complaintId,
});

const Arrow = () => <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />;

/** A name in a sentence, with those that exist in a list. */
export function TokenCombobox({ label, placeholder, complaintId, isEmpty = false, ...comboProps }: TokenProps & ComboGiven & { placeholder: string }) {
  const combo = useCombobox(comboProps);
  return (
    <span className={styles.token} data-invalid={complaintId} data-empty={isEmpty || undefined} style={{ anchorName: combo.anchorName }}>
      <input
        {...combo.inputProps}
        {...ariaProps({ label, complaintId })}
        className={styles.input}
        placeholder={placeholder}
        maxLength={128}
        title={comboProps.value}
      />
      <Arrow />
      {combo.isOpen ? <Listbox label={label} combo={combo} /> : null}
      {combo.doubt ? <DoubtNote doubt={combo.doubt} combo={combo} /> : null}
    </span>
  );
}

/** One of a few words of a sentence. */
export function TokenSelect({ value, onChange, options, isEmpty = false, ...props }: TypedProps & { options: readonly { value: string; label: string }[] }) {
  return (
    <span className={styles.token} data-invalid={props.complaintId} data-empty={isEmpty || undefined}>
      <select {...ariaProps(props)} className={styles.select} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Arrow />
    </span>
  );
}

interface TokenTextProps extends TypedProps {
  /** It holds a number, so that phones show digits. */
  isNumeric?: boolean;
  maxLength?: number;
  placeholder?: string;
}

/** A number or a formula that is typed into a sentence. */
export function TokenText({ value, onChange, isNumeric = false, maxLength = 40, placeholder, isEmpty = false, ...props }: TokenTextProps) {
  return (
    <span className={styles.token} data-invalid={props.complaintId} data-empty={isEmpty || undefined}>
      <input
        type="text"
        inputMode={isNumeric ? "decimal" : "text"}
        autoComplete="off"
        spellCheck={false}
        {...ariaProps(props)}
        className={`${styles.input} ${styles.number}`}
        maxLength={maxLength}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}

interface TokenFormProps extends TokenProps {
  /** Its words in the sentence. */
  text: string;
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** Some words of a sentence that open a small form. */
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
        {(close) => <div className={styles.form}>{typeof children === "function" ? children(close) : children}</div>}
      </Popover>
      <Arrow />
    </span>
  );
}
