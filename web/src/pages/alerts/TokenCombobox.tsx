import { ChevronDown } from "lucide-react";
import type { NameChoice } from "../../widgets/names.ts";
import { Listbox } from "../../ui/Combobox/Listbox.tsx";
import { useCombobox } from "../../ui/Combobox/useCombobox.ts";
import styles from "./Tokens.module.css";

export interface TokenComboboxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly NameChoice[];
  placeholder: string;
  /** The id of the sentence that says what is wrong with it. */
  complaint?: string | undefined;
}

/** A name in a sentence: any text, with those that exist in a list. */
export function TokenCombobox({ label, value, onChange, options, placeholder, complaint }: TokenComboboxProps) {
  const combo = useCombobox({ value, onChange, options, allowOwn: true });
  return (
    <span className={styles.token} data-invalid={complaint} style={{ anchorName: combo.anchor }}>
      <input
        {...combo.input}
        aria-label={label}
        aria-invalid={complaint === undefined ? undefined : true}
        aria-describedby={complaint}
        className={styles.input}
        placeholder={placeholder}
        maxLength={128}
        title={value}
      />
      <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
      {combo.open ? <Listbox label={label} combo={combo} /> : null}
    </span>
  );
}
