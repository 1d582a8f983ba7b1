import type { ReactNode } from "react";
import { formatPercent } from "../core/numbers.ts";
import styles from "./RankBars.module.css";
import { ScrollRegion } from "./ScrollRegion.tsx";

export interface RankRow {
  label: string;
  value: number | null;
  /** In words. */
  text: string;
  /** Of the sum of all rows, if that means something. */
  share?: number | null | undefined;
  isQuiet?: boolean | undefined;
}

export interface RankBarsProps {
  title: string;
  rows: readonly RankRow[];
  onRow?: ((position: number) => void) | undefined;
}

/** A ranked list with a bar behind each label; the numbers stand outside the reach of the bars. */
export function RankBars({ title, rows, onRow }: RankBarsProps): ReactNode {
  const maxValue = Math.max(...rows.map(({ value }) => value ?? 0), 0);
  const hasShares = rows.some(({ share }) => share !== null && share !== undefined);
  return (
    <ScrollRegion label={title} parts="li" noun="row" hasButtons={onRow !== undefined}>
      <ol className={styles.ranks} aria-label={title} data-shares={hasShares || undefined}>
        {rows.map((row, position) => (
          <li key={row.label + String(position)} data-quiet={row.isQuiet ? true : undefined}>
            <span data-reach>
              {maxValue > 0 && <i style={{ width: `${(Math.max(row.value ?? 0, 0) / maxValue) * 100}%` }} />}
              <span title={row.label}>{row.label}</span>
            </span>
            {onRow ? (
              <button type="button" onClick={() => onRow(position)} aria-label={`${row.label}: ${row.text} – show who`}>
                {row.text}
              </button>
            ) : (
              <b>{row.text}</b>
            )}
            {hasShares && <em>{row.share === null || row.share === undefined ? "" : formatPercent(row.share)}</em>}
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}
