import type { ReactNode } from "react";
import { formatExact } from "../../core/numbers.ts";
import styles from "./RowList.module.css";

export interface Row {
  key: string;
  /** A link with a name. */
  name: ReactNode;
  /** What tells equal names apart. */
  detail?: string | null | undefined;
  /** How many events are theirs; absent for an event. */
  count?: number | undefined;
  /** When, in short. */
  time?: string | undefined;
}

/** Those behind a number, each in a line with a bar on a common base. */
export function RowList({ label, rows }: { label: string; rows: readonly Row[] }) {
  const maxCount = Math.max(1, ...rows.map(({ count = 0 }) => count));
  return (
    <ul className={styles.rows} aria-label={label}>
      {rows.map(({ key, name, detail, count, time }) => (
        <li key={key}>
          <span className={styles.name}>
            {name}
            {detail ? <span className={styles.detail}>{detail}</span> : null}
          </span>
          {count === undefined ? null : (
            <>
              <span className={styles.bar} aria-hidden="true">
                <i style={{ width: `${(count / maxCount) * 100}%` }} />
              </span>
              <b title={count === 1 ? "1 event" : `${formatExact(count)} events`}>{formatExact(count)}</b>
            </>
          )}
          {time === undefined ? null : <span className={styles.time}>{time}</span>}
        </li>
      ))}
    </ul>
  );
}
