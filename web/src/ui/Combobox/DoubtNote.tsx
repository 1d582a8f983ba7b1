import { useLayoutEffect, useRef } from "react";
import { Button } from "../Button/Button.tsx";
import styles from "./Combobox.module.css";
import type { Doubt } from "./typedText.ts";
import type { Combo } from "./useCombobox.ts";

/** What is to be said of a text that no option has, under its field; a question is answered here, too. */
export function DoubtNote({ doubt, combo }: { doubt: Doubt; combo: Combo }) {
  const noteRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => noteRef.current?.showPopover(), []);
  useLayoutEffect(() => {
    const element = noteRef.current;
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      combo.settleDoubt(false);
    };
    element?.addEventListener("keydown", handleKey);
    return () => element?.removeEventListener("keydown", handleKey);
  });
  return (
    <div
      ref={noteRef}
      popover="manual"
      role="alertdialog"
      aria-label={doubt.sentence}
      className={styles.doubt}
      style={{ positionAnchor: combo.anchorName }}
    >
      <p>{doubt.sentence}</p>
      <div className={styles.answers}>
        {doubt.isQuestion ? (
          <Button small onClick={() => combo.settleDoubt(true)}>
            Use it
          </Button>
        ) : null}
        <Button small variant="quiet" onClick={() => combo.settleDoubt(false)}>
          {combo.shownValue === "" ? "Leave it empty" : `Keep ${combo.shownValue}`}
        </Button>
      </div>
    </div>
  );
}
