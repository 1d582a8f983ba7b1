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
  selected?: (row: Row) => boolean;
  dense?: boolean;
  sort?: Sort | undefined;
  onSort?: (key: string) => void;
  /** Without a surface of its own, inside a card. */
  bare?: boolean;
}

/** The class of a link in the first cell that is the link of the whole row. */
export const rowLink = styles.link ?? "";

/** Rows of things. Its name is its label; each row is told by its first cell. */
export function Table<Row>({ label, columns, rows, rowKey, onRow, selected, dense = false, sort, onSort, bare = false }: TableProps<Row>) {
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
            <tr key={rowKey(row)} className={styles.row} data-selected={selected?.(row) === true || undefined}>
              {columns.map((column, index) => (
                <td key={column.key} data-align={column.align} data-hide-below={column.hideBelow}>
                  {index === 0 && onRow ? (
                    <button type="button" className={rowLink} aria-pressed={selected?.(row)} onClick={() => onRow(row)}>
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
