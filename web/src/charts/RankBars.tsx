import type { ReactNode } from "react";
import { formatPercent } from "../core/numbers.ts";
import styles from "./RankBars.module.css";
import { type Scale, linearScale } from "./scale.ts";
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
  /** The row that is open elsewhere on the page. */
  openRow?: number | undefined;
}

/** Return where a value is between the least and the greatest one, or zero. */
const barScale = (values: readonly number[]): Scale => linearScale(Math.min(...values, 0), Math.max(...values, 0));

/** Reach from zero to a value, on either side. */
const barStyle = (zero: number, end: number) => ({ left: `${Math.min(zero, end) * 100}%`, width: `${Math.abs(end - zero) * 100}%` });

/** A ranked list with a bar behind each label; the numbers stand outside the reach of the bars. */
export function RankBars({ title, rows, onRow, openRow }: RankBarsProps): ReactNode {
  const shareOf = barScale(rows.map(({ value }) => value ?? 0));
  const hasShares = rows.some(({ share }) => share !== null && share !== undefined);
  return (
    <ScrollRegion label={title} parts="li" noun="row" hasButtons={onRow !== undefined}>
      <ol className={styles.ranks} aria-label={title} data-shares={hasShares || undefined}>
        {rows.map((row, position) => (
          <li key={row.label + String(position)} title={row.label} data-quiet={row.isQuiet ? true : undefined}>
            <span data-reach>
              {row.value ? <i style={barStyle(shareOf(0), shareOf(row.value))} /> : null}
              <span>{row.label}</span>
            </span>
            {onRow ? (
              <button
                type="button"
                data-covers
                aria-current={position === openRow || undefined}
                onClick={() => onRow(position)}
                aria-label={`${row.label}: ${row.text} – show who`}
              >
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
