import { ChevronDown } from "lucide-react";
import { DoubtNote } from "../../ui/Combobox/DoubtNote.tsx";
import { Listbox } from "../../ui/Combobox/Listbox.tsx";
import { type ComboGiven, useCombobox } from "../../ui/Combobox/useCombobox.ts";
import styles from "./Tokens.module.css";

export interface TokenComboboxProps extends ComboGiven {
  label: string;
  placeholder: string;
  /** The id of the sentence that says what is wrong with it. */
  complaintId?: string | undefined;
}

/** A name in a sentence, with those that exist in a list. */
export function TokenCombobox({ label, placeholder, complaintId, ...comboProps }: TokenComboboxProps) {
  const combo = useCombobox(comboProps);
  return (
    <span className={styles.token} data-invalid={complaintId} style={{ anchorName: combo.anchorName }}>
      <input
        {...combo.inputProps}
        aria-label={label}
        aria-invalid={complaintId === undefined ? undefined : true}
        aria-describedby={complaintId}
        className={styles.input}
        placeholder={placeholder}
        maxLength={128}
        title={comboProps.value}
      />
      <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" />
      {combo.isOpen ? <Listbox label={label} combo={combo} /> : null}
      {combo.doubt ? <DoubtNote doubt={combo.doubt} combo={combo} /> : null}
    </span>
  );
}
