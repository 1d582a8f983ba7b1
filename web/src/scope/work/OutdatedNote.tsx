import { CircleAlert } from "lucide-react";
import type { AnyWork } from "./useWork.ts";
import styles from "./OutdatedNote.module.css";

/** Says that somebody has changed what this draft is of; nothing while nobody has. */
export function OutdatedNote({ work, noun }: { work: AnyWork; noun: string }) {
  if (!work.isOutdated) return null;
  return (
    <p className={styles.note}>
      <CircleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
      The {noun} has changed since you began this draft. Saving replaces the newer version; discard the draft to see it.
    </p>
  );
}
