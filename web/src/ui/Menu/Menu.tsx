import { Ellipsis, type LucideIcon } from "lucide-react";
import type { KeyboardEvent, ReactElement } from "react";
import { IconButton } from "../Button/IconButton.tsx";
import { useSurface } from "../Popover/useSurface.ts";
import styles from "./Menu.module.css";
import { nextItemIndex } from "./keys.ts";

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
  const surface = useSurface(align);
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Tab") {
      surface.close();
      return;
    }
    const menuItems = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")];
    const labels = menuItems.map((element) => element.textContent);
    const nextIndex = nextItemIndex(event.key, labels, menuItems.indexOf(document.activeElement as HTMLElement));
    if (nextIndex === null) return;
    event.preventDefault();
    event.stopPropagation();
    menuItems[nextIndex]?.focus();
  };
  const choose = (item: MenuItem) => {
    surface.close();
    item.onSelect();
  };
  return (
    <>
      {surface.renderOpener(trigger ?? <IconButton label={label} icon={Ellipsis} />, "menu")}
      <div {...surface.props} role="menu" aria-label={label} tabIndex={-1} className={styles.menu} onKeyDown={handleKey}>
        {surface.isOpen
          ? items.map((item, index) =>
              item === "separator" ? (
                <div key={index} role="separator" className={styles.separator} />
              ) : (
                <Item key={index} item={item} onChoose={() => choose(item)} />
              ),
            )
          : null}
      </div>
    </>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const { label, icon: Icon, danger = false, disabled = false, hint } = item;
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-danger={danger || undefined}
      disabled={disabled}
      onClick={onChoose}
    >
      {Icon ? <Icon size={16} strokeWidth={1.6} aria-hidden="true" /> : null}
      <span className={styles.label}>{label}</span>
      {hint ? <span className={styles.hint}>{hint}</span> : null}
    </button>
  );
}
