import type { ReactNode } from "react";
import styles from "./Rows.module.css";

/** A card of settings, one below the other. */
export function Rows({ children }: { children: ReactNode }) {
  return <div className={styles.rows}>{children}</div>;
}

export interface RowProps {
  label: string;
  hint?: ReactNode;
  /** The control, named by itself. */
  children: ReactNode;
}

/** One setting: what it is at the left, its control at the right. */
export function Row({ label, hint, children }: RowProps) {
  return (
    <div className={styles.row}>
      <div>
        <p className={styles.label}>{label}</p>
        {hint ? <p className={styles.hint}>{hint}</p> : null}
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  );
}

/** Buttons at the foot of a card. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
