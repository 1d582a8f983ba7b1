import { ChevronDown, type LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import { type ComponentProps, useRef } from "react";
import { FieldFrame, type FieldWords } from "../Field/FieldFrame.tsx";
import fieldStyles from "../Field/Field.module.css";
import { landmark } from "../landmark.ts";
import styles from "./Combobox.module.css";
import { Listbox } from "./Listbox.tsx";
import { type ComboOption } from "./matches.ts";
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
}

/** A field with a list: typing filters it, the arrows walk through it, Enter takes, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const { label, hint, error, hideLabel = false, id, options, placeholder, icon: Icon, disabled, name, required } = props;
  const box = useRef<HTMLDivElement>(null);
  const combo = useCombobox({ ...props, allowOwn: props.allowOwn ?? false });
  return (
    <FieldFrame {...{ label, hint, error, id, hideLabel }}>
      {(links) => (
        <Popover.Root open={combo.open} onOpenChange={combo.setOpen} modal={false}>
          <Popover.Anchor asChild>
            <div ref={box} className={fieldStyles.box} data-invalid={links["aria-invalid"]}>
              {Icon ? <Icon size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
              <input
                {...{ disabled, name, required, placeholder }}
                {...links}
                {...combo.input}
                className={fieldStyles.input}
              />
              {options.length > 0 ? <ChevronDown size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
            </div>
          </Popover.Anchor>
          <Popover.Portal container={combo.open ? landmark() : null}>
            <Popover.Content
              role="presentation"
              className={styles.surface}
              align="start"
              sideOffset={4}
              collisionPadding={8}
              onOpenAutoFocus={(event) => event.preventDefault()}
              onCloseAutoFocus={(event) => event.preventDefault()}
              onInteractOutside={(event) => {
                if (event.target instanceof Node && box.current?.contains(event.target)) event.preventDefault();
              }}
            >
              <Listbox label={label} combo={combo} />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </FieldFrame>
  );
}
