import type { CSSProperties, ReactNode } from "react";
import styles from "./Grid.module.css";
import { LoadOrder } from "./loadOrder.tsx";

/** The twelve columns on which the cards of a dashboard stand, in their order. Those in the window ask first. */
export function Grid({ children }: { children: ReactNode }) {
  return (
    <div className={styles.grid}>
      <LoadOrder>{children}</LoadOrder>
    </div>
  );
}

export interface GridCellProps {
  layout: { w: number; h: number };
  children: ReactNode;
}

/** The place of one card: how many columns and rows it takes. On phones, every card takes the whole width. */
export function GridCell({ layout, children }: GridCellProps) {
  const size = { "--columns": layout.w, "--rows": layout.h } as CSSProperties;
  return (
    <div className={styles.cell} style={size} data-place>
      {children}
    </div>
  );
}
