import { ChevronDown, type LucideIcon } from "lucide-react";
import { type ComponentProps, useEffect, useId, useRef } from "react";
import { FieldFrame, type FieldWords } from "../Field/FieldFrame.tsx";
import fieldStyles from "../Field/Field.module.css";
import styles from "./Combobox.module.css";
import { Listbox } from "./Listbox.tsx";
import { type ComboOption } from "./matches.ts";
import { type Combo, useCombobox } from "./useCombobox.ts";

export interface ComboboxProps
  extends FieldWords, Pick<ComponentProps<"input">, "id" | "name" | "disabled" | "required" | "autoFocus"> {
  value: string;
  onChange: (value: string) => void;
  options: readonly ComboOption[];
  placeholder?: string;
  /** Any text counts, not only what the list holds. */
  allowOwn?: boolean;
  icon?: LucideIcon;
}

/** A field with a list: typing filters it, the arrows walk through it, Enter takes, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const { label, hint, error, hideLabel = false, id, options, placeholder, icon: Icon, disabled, name, required } = props;
  const anchor = `--${useId().replace(/[^\w-]/g, "")}`;
  const combo = useCombobox({ ...props, allowOwn: props.allowOwn ?? false });
  return (
    <FieldFrame {...{ label, hint, error, id, hideLabel }}>
      {(links) => (
        <>
          <div
            className={fieldStyles.box}
            data-invalid={links["aria-invalid"]}
            style={{ anchorName: anchor }}
          >
            {Icon ? <Icon size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
            <input
              {...{ disabled, name, required, placeholder }}
              {...links}
              {...combo.input}
              className={fieldStyles.input}
            />
            {options.length > 0 ? <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
          </div>
          <OpenList label={label} combo={combo} anchor={anchor} />
        </>
      )}
    </FieldFrame>
  );
}

/** The list in the top layer, where no dialog and no card cuts it. The field decides when it is open. */
function OpenList({ label, combo, anchor }: { label: string; combo: Combo; anchor: string }) {
  const surface = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = surface.current;
    if (combo.open) element?.showPopover();
    return () => {
      if (element?.matches(":popover-open")) element.hidePopover();
    };
  }, [combo.open]);
  return (
    <div
      ref={surface}
      popover="manual"
      role="presentation"
      className={styles.surface}
      style={{ positionAnchor: anchor }}
    >
      {combo.open ? <Listbox label={label} combo={combo} /> : null}
    </div>
  );
}
