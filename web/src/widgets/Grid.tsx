import type { CSSProperties, ReactNode } from "react";
import { useMatches } from "../ui/useMatches.ts";
import styles from "./Grid.module.css";
import { LoadOrder } from "./loadOrder.tsx";
import { type Outline, fullWidthHeights, rowCountOf } from "./outline.ts";

/** Windows in which a panel of 440 px leaves no room for twelve columns beside it. */
const NARROW_BESIDE_PANEL = "(min-width: 1100px) and (max-width: 1351px)";
const PHONE = "(max-width: 599px)";
const TABLET = "(max-width: 899px)";

export interface GridProps {
  /** A panel stands at the right of the grid. */
  isBesidePanel?: boolean;
  children: ReactNode;
}

/**
 * The twelve columns on which the cards of a dashboard stand, in their order. Those in the window ask first. Without room
 * for the columns, each card takes the whole width, on a phone or a tablet.
 */
export function Grid({ isBesidePanel = false, children }: GridProps) {
  const isPhone = useMatches(isBesidePanel ? `${PHONE}, ${NARROW_BESIDE_PANEL}` : PHONE);
  const isTablet = useMatches(TABLET);
  return (
    <div className={styles.grid} data-fit={isPhone ? "phone" : isTablet ? "tablet" : undefined}>
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
