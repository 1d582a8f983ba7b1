import type { CSSProperties, ReactNode } from "react";
import styles from "./Grid.module.css";
import { LoadOrder } from "./loadOrder.tsx";
import { type Outline, fullWidthHeights, rowCountOf } from "./outline.ts";

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
  /** What is known of the answer in it. */
  outline: Outline;
  children: ReactNode;
}

/**
 * The place of one card: how many columns and rows it takes. In narrow windows it takes the whole width, and a height that
 * is known before the answer, so that nothing below it moves; only a note is as high as its words.
 */
export function GridCell({ layout, outline, children }: GridCellProps) {
  const { onPhone, onTablet } = fullWidthHeights(outline, layout.h);
  const size = {
    "--columns": layout.w,
    "--rows": rowCountOf(outline, layout.h),
    "--phone-height": `${onPhone}px`,
    "--tablet-height": `${onTablet}px`,
  } as CSSProperties;
  return (
    <div className={styles.cell} data-form={outline.form} style={size} data-place>
      {children}
    </div>
  );
}
