import type { ReactNode } from "react";
import { idText } from "../core/ids.ts";
import { formatExact } from "../core/numbers.ts";
import styles from "./DataTableView.module.css";
import { ScrollRegion } from "./ScrollRegion.tsx";

type Cell = string | number | bigint | null;

export interface DataTableViewProps {
  label: string;
  columns: readonly { label: string; numeric: boolean }[];
  rows: readonly (readonly Cell[])[];
  /** Return whether a number is an id, which has no separators. */
  isIdCell?: ((row: number, column: number) => boolean) | undefined;
}

/** The numbers of a chart as a table that reaches the edges of its card; it scrolls in a region of its own. */
export function DataTableView({ label, columns, rows, isIdCell }: DataTableViewProps): ReactNode {
  return (
    <ScrollRegion label={label} parts="tbody tr" noun="row" isFlush>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" data-numeric={column.numeric || undefined}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, columnIndex) => (
                <td key={columnIndex} data-numeric={columns[columnIndex]?.numeric ? true : undefined}>
                  {cellText(cell, isIdCell?.(rowIndex, columnIndex))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function cellText(cell: Cell, isId = false): string {
  if (typeof cell === "string") return cell;
  return isId && cell !== null ? idText(cell) : formatExact(cell);
}
