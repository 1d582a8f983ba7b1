import styles from "./Pieces.module.css";
import type { Piece } from "./words.ts";

/** A sentence whose strong pieces and names from the data stand out. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, look }, index) =>
    look === "strong" ? (
      <strong key={index} className={styles.strong} dir="auto">
        {text}
      </strong>
    ) : look === "code" ? (
      <code key={index} className={styles.code} dir="auto">
        {text}
      </code>
    ) : (
      text
    ),
  );
}
