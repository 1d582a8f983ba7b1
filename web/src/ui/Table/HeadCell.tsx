import { ArrowDown, ArrowUp } from "lucide-react";
import { Hidden } from "../Hidden/Hidden.tsx";
import type { Column, Sort } from "./Table.tsx";
import styles from "./Table.module.css";

export interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((key: string) => void) | undefined;
}

/** The head of a column; a button where the column sorts. */
export function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
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
