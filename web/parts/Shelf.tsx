import type { ReactNode } from "react";
import styles from "./parts.module.css";

export interface ShelfProps {
  name: string;
  grid?: boolean;
  children: ReactNode;
}

/** The states of one part, side by side. */
export function Shelf({ name, grid = false, children }: ShelfProps) {
  return (
    <section className={styles.shelf} aria-label={name}>
      <h2 className={styles.heading}>{name}</h2>
      <div className={grid ? styles.grid : styles.row}>{children}</div>
    </section>
  );
}
