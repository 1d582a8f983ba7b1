import { Ellipsis, type LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactElement, useRef, useState } from "react";
import { IconButton } from "../Button/IconButton.tsx";
import { landmark } from "../landmark.ts";
import styles from "./Menu.module.css";

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** A key or a word at the right. */
  hint?: string;
}

export interface MenuProps {
  label: string;
  /** The button that opens it; `⋯` unless another is given. */
  trigger?: ReactElement;
  items: readonly (MenuItem | "separator")[];
  align?: "start" | "end";
}

/** A list of actions behind a button. An action runs after the menu closed and the focus is back on the button. */
export function Menu({ label, trigger, items, align = "end" }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const chosen = useRef<(() => void) | null>(null);
  const finish = (event: Event) => {
    const act = chosen.current;
    if (!act) return;
    chosen.current = null;
    event.preventDefault();
    button.current?.focus();
    act();
  };
  return (
    <DropdownMenu.Root modal={false} onOpenChange={(open) => open && setPlace(landmark())}>
      <DropdownMenu.Trigger asChild ref={button}>
        {trigger ?? <IconButton label={label} icon={Ellipsis} />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={place}>
        <DropdownMenu.Content
          className={styles.menu}
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={finish}
        >
          {items.map((item, at) =>
            item === "separator" ? (
              <DropdownMenu.Separator key={at} className={styles.separator} />
            ) : (
              <Item key={at} item={item} onChoose={() => (chosen.current = item.onSelect)} />
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const { label, icon: Icon, danger = false, disabled = false, hint } = item;
  return (
    <DropdownMenu.Item className={styles.item} data-danger={danger || undefined} disabled={disabled} onSelect={onChoose}>
      {Icon ? <Icon size={16} strokeWidth={1.6} aria-hidden="true" /> : null}
      <span className={styles.label}>{label}</span>
      {hint ? <span className={styles.hint}>{hint}</span> : null}
    </DropdownMenu.Item>
  );
}
