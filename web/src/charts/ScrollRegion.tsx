import type { ReactNode } from "react";
import { countInWords } from "../core/numbers.ts";
import styles from "./ScrollRegion.module.css";
import { useHiddenParts } from "./useHiddenParts.ts";

export interface ScrollRegionProps {
  /** What assistive technology calls it. */
  label: string;
  /** A selector of the parts, each of which stands below the one before. */
  parts: string;
  /** What a part is: "row", "step". */
  noun: string;
  /** Its parts have buttons; without them, the region itself is reached by keys while it scrolls. */
  hasButtons?: boolean;
  /** The content reaches the edges of its card. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A region that scrolls once it has no room for all of its parts, and then says how many there are besides. */
export function ScrollRegion({ label, parts, noun, hasButtons = false, isFlush = false, children }: ScrollRegionProps): ReactNode {
  const { regionRef, isScrollable, hiddenRowCount, hiddenColumnCount } = useHiddenParts(parts);
  const focusProps = isScrollable && !hasButtons ? { role: "group", "aria-label": label, tabIndex: 0 } : {};
  const hiddenTexts = [
    hiddenRowCount > 0 ? countInWords(hiddenRowCount, `more ${noun}`) : "",
    hiddenColumnCount > 0 ? countInWords(hiddenColumnCount, "more column") : "",
  ].filter(Boolean);
  return (
    <div className={styles.frame} data-flush={isFlush || undefined}>
      <div ref={regionRef} className={styles.region} {...focusProps}>
        {children}
      </div>
      {/* Assistive technology reads all parts. */}
      {hiddenTexts.length > 0 ? (
        <p className={styles.sign} data-beside={hiddenRowCount === 0 || undefined} aria-hidden="true">
          {hiddenTexts.join(", ")}
        </p>
      ) : null}
    </div>
  );
}
