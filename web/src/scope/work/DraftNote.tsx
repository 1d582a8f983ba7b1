import { type MouseEvent, useEffect } from "react";
import { announce } from "../../ui/announce.ts";
import styles from "./DraftNote.module.css";
import type { AnyWork } from "./useWork.ts";

/** Says that something is not saved yet and where it is kept, with the way to discard it; nothing while all is saved. */
export function DraftNote({ work }: { work: AnyWork }) {
  const { isUnsaved, isKept, discard } = work;
  useEffect(() => {
    if (isKept) announce("Draft kept in this browser.");
  }, [isKept]);
  if (!isUnsaved) return null;
  // The button goes, so the focus begins again where its form does.
  const startOver = (event: MouseEvent) => {
    const beginning = event.currentTarget.closest<HTMLElement>("[role=dialog]") ?? document.querySelector<HTMLElement>("h1");
    discard();
    beginning?.focus();
  };
  return (
    <span className={styles.note} data-draft>
      <span className={styles.words}>
        {isKept ? <>Draft kept<span className={styles.place}> in this browser</span>.</> : "Not saved."}
      </span>
      <button type="button" className={styles.discard} onClick={startOver}>
        Discard
      </button>
    </span>
  );
}
