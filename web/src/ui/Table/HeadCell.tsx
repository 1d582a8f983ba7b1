import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Hidden } from "../Hidden/Hidden.tsx";
import styles from "./Table.module.css";

/** A column, apart from its cells. */
export interface Heading {
  key: string;
  label: string;
  /** Numbers stand at the end. */
  align?: "end";
  /** In px, or any width of CSS. */
  width?: number | string;
  /** Left out below this width of the window, in px: 600, 900 or 1200. */
  hideBelow?: 600 | 900 | 1200;
  /** The head is a button that sorts by it. */
  sortable?: boolean;
  /** The label is there for assistive technology only. */
  hideLabel?: boolean;
  /** Stands in the head in place of the label: a link with a picture. */
  head?: ReactNode;
}

export interface Sort {
  key: string;
  dir: "asc" | "desc";
}

export interface HeadCellProps {
  column: Heading;
  sort: Sort | undefined;
  onSort: ((key: string) => void) | undefined;
}

/** The head of a column; a button where the column sorts. */
export function HeadCell({ column, sort, onSort }: HeadCellProps) {
  const { key, label, align, width, hideBelow, sortable = false, hideLabel = false, head } = column;
  const direction = sort?.key === key ? sort.dir : undefined;
  const Arrow = direction === "asc" ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      style={width === undefined ? undefined : { width }}
      data-align={align}
      data-hide-below={hideBelow}
      aria-sort={direction && (direction === "asc" ? "ascending" : "descending")}
    >
      {sortable && onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(key)}>
          {label}
          {direction ? <Arrow size={12} strokeWidth={1.6} aria-hidden="true" /> : null}
        </button>
      ) : hideLabel ? (
        <Hidden>{label}</Hidden>
      ) : (
        (head ?? label)
      )}
    </th>
  );
}
