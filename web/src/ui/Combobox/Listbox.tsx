import { Check } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { isOwn } from "../Popover/useSurface.ts";
import styles from "./Combobox.module.css";
import type { Combo } from "./useCombobox.ts";

/** The list under a combobox, in the top layer while it is there. The focus stays in the field; the active option is pointed to from there. */
export function Listbox({ label, combo }: { label: string; combo: Combo }) {
  const listRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => listRef.current?.showPopover(), []);
  useEffect(() => {
    listRef.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
  }, [combo.activeIndex]);
  return (
    <div
      ref={listRef}
      popover="manual"
      role="listbox"
      id={combo.listId}
      aria-label={label}
      className={styles.list}
      style={{ positionAnchor: combo.anchorName }}
      onToggle={(event) => isOwn(event) && event.newState === "closed" && combo.setOpen(false)}
    >
      {combo.visibleOptions.map((option, index) => (
        <button
          key={option.value}
          type="button"
          role="option"
          id={combo.optionId(index)}
          tabIndex={-1}
          className={styles.option}
          aria-selected={option.value === combo.value}
          data-active={index === combo.activeIndex || undefined}
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => combo.setActiveIndex(index)}
          onClick={() => combo.choose(option)}
        >
          <span className={styles.label}>{option.label ?? option.value}</span>
          {option.picture ? <span className={styles.picture}>{option.picture}</span> : null}
          {option.detail ? <span className={styles.detail}>{option.detail}</span> : null}
          {option.value === combo.value ? <Check size={14} strokeWidth={1.6} aria-hidden="true" /> : null}
        </button>
      ))}
    </div>
  );
}
