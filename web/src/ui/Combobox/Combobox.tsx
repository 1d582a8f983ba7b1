import { ChevronDown, type LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { FieldFrame, type FieldWords } from "../Field/FieldFrame.tsx";
import fieldStyles from "../Field/Field.module.css";
import { DoubtNote } from "./DoubtNote.tsx";
import { Listbox } from "./Listbox.tsx";
import { type ComboGiven, useCombobox } from "./useCombobox.ts";

export interface ComboboxProps
  extends FieldWords, ComboGiven, Pick<ComponentProps<"input">, "id" | "name" | "disabled" | "required" | "autoFocus"> {
  placeholder?: string;
  icon?: LucideIcon;
  /** Without an arrow, where there is little room. */
  bare?: boolean;
}

/** A field with a list: typing filters it, the arrows walk through it, Enter and Tab take, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const { label, hint, error, hideLabel = false, id, options, placeholder, icon: Icon, bare = false, disabled, name, required } = props;
  const combo = useCombobox(props);
  return (
    <FieldFrame {...{ label, hint, error, id, hideLabel }}>
      {(controlLinks) => (
        <>
          <div
            className={fieldStyles.box}
            style={{ anchorName: combo.anchorName }}
            data-invalid={controlLinks["aria-invalid"]}
          >
            {Icon ? <Icon size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
            <input
              {...{ disabled, name, required, placeholder }}
              {...controlLinks}
              {...combo.inputProps}
              className={fieldStyles.input}
            />
            {options.length > 0 && !bare ? <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
          </div>
          {combo.isOpen ? <Listbox label={label} combo={combo} /> : null}
          {combo.doubt ? <DoubtNote doubt={combo.doubt} combo={combo} /> : null}
        </>
      )}
    </FieldFrame>
  );
}
