import type { ReactNode } from "react";
import { type Heading, HeadCell, type Sort } from "./HeadCell.tsx";
import styles from "./Table.module.css";

export interface Column<Row> extends Heading {
  render: (row: Row) => ReactNode;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Called when a row is chosen; the first cell becomes its button. */
  onRow?: (row: Row) => void;
  isSelected?: (row: Row) => boolean;
  dense?: boolean;
  sort?: Sort | undefined;
  onSort?: (key: string) => void;
  /** Without a surface of its own, inside a card. */
  bare?: boolean;
}

/** The class of a link in the first cell that is the link of the whole row. */
export const rowLinkClass = styles.link ?? "";

/** Rows of things. Its name is its label; each row is told by its first cell. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, onRow, isSelected, dense = false, sort, onSort, bare = false } = props;
  return (
    <div className={styles.frame} data-bare={bare || undefined}>
      <table className={styles.table} aria-label={label} data-dense={dense || undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={styles.row} data-selected={isSelected?.(row) === true || undefined}>
              {columns.map((column, index) => (
                <td key={column.key} data-align={column.align} data-hide-below={column.hideBelow}>
                  {index === 0 && onRow ? (
                    <button type="button" className={rowLinkClass} aria-pressed={isSelected?.(row)} onClick={() => onRow(row)}>
                      {column.render(row)}
                    </button>
                  ) : (
                    column.render(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
