import type { ReactNode } from "react";
import styles from "./Sentence.module.css";

export interface SentenceProps {
  /** It is the main thing on its page. */
  isLarge?: boolean;
  children: ReactNode;
}

/** Words with tokens between them. */
export function Sentence({ isLarge = false, children }: SentenceProps) {
  return (
    <div className={styles.sentence} data-large={isLarge || undefined}>
      {children}
    </div>
  );
}

/** A word and the token that it leads to, which stay on one line. */
export function Together({ children }: { children: ReactNode }) {
  return <span className={styles.together}>{children}</span>;
}
