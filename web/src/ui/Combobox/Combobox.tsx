import { ChevronDown, type LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { FieldFrame, type FieldWords } from "../Field/FieldFrame.tsx";
import fieldStyles from "../Field/Field.module.css";
import { Listbox } from "./Listbox.tsx";
import type { ComboOption } from "./matches.ts";
import { useCombobox } from "./useCombobox.ts";

export interface ComboboxProps
  extends FieldWords, Pick<ComponentProps<"input">, "id" | "name" | "disabled" | "required" | "autoFocus"> {
  value: string;
  onChange: (value: string) => void;
  options: readonly ComboOption[];
  placeholder?: string;
  /** Any text counts, not only what the list holds. */
  allowOwn?: boolean;
  icon?: LucideIcon;
  /** Without an arrow, where there is little room. */
  bare?: boolean;
}

/** A field with a list: typing filters it, the arrows walk through it, Enter takes, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const { label, hint, error, hideLabel = false, id, options, placeholder, icon: Icon, bare = false, disabled, name, required } = props;
  const combo = useCombobox({ ...props, allowOwn: props.allowOwn ?? false });
  return (
    <FieldFrame {...{ label, hint, error, id, hideLabel }}>
      {(links) => (
        <>
          <div
            className={fieldStyles.box}
            style={{ anchorName: combo.anchor }}
            data-invalid={links["aria-invalid"]}
          >
            {Icon ? <Icon size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
            <input
              {...{ disabled, name, required, placeholder }}
              {...links}
              {...combo.input}
              className={fieldStyles.input}
            />
            {options.length > 0 && !bare ? <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
          </div>
          {combo.open ? <Listbox label={label} combo={combo} /> : null}
        </>
      )}
    </FieldFrame>
  );
}
