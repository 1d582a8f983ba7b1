import { Skeleton } from "../Skeleton/Skeleton.tsx";
import styles from "./Table.module.css";

export interface TableSkeletonProps {
  rowCount: number;
  /** In px, of rows that are higher than one line. */
  rowHeight?: number;
  dense?: boolean;
}

/** Names of different lengths. */
const NAME_WIDTHS = ["24%", "31%", "19%"];

/** The place of a table that is loading: its head and its rows. */
export function TableSkeleton({ rowCount, rowHeight, dense = false }: TableSkeletonProps) {
  return (
    <div className={styles.frame} aria-hidden="true">
      <table className={styles.table} data-dense={dense || undefined}>
        <thead>
          <tr>
            <th />
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rowCount }, (_, index) => (
            <tr key={index}>
              <td style={{ height: rowHeight }}>
                <Skeleton height={12} width={NAME_WIDTHS[index % NAME_WIDTHS.length] ?? "24%"} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
