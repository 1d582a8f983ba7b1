import type { ReactNode } from "react";
import { seriesColor } from "./colors.ts";
import { Delta } from "./Delta.tsx";
import type { CursorProps } from "./cursorProps.ts";
import styles from "./Tooltip.module.css";

export interface TooltipProps extends CursorProps {
  at: number;
  /** The series that the keys have chosen. */
  activeSeries: number | null;
  name: string;
}

const MAX_ROWS = 10;
const ROW = 18;

/** The values at the cursor, the greatest first; it stands where the lines are not. */
export function Tooltip(props: TooltipProps): ReactNode {
  const { line, positions, at, activeSeries, name, format, good } = props;
  const rows = line.series
    .map((series, index) => ({ ...series, number: index, value: series.values[at] ?? null }))
    .sort((one, other) => (other.value ?? -Infinity) - (one.value ?? -Infinity));
  const [only] = rows.length === 1 ? rows : [];
  const before = only?.compared?.[at] ?? null;
  const change = only && before ? ((only.value ?? 0) - before) / Math.abs(before) : null;
  const isUnfinished = (at === line.times.length - 1 && line.isLastPartial) || (at === 0 && line.isFirstPartial);
  return (
    <div className={styles.tooltip} aria-hidden="true" style={placeOf(props, Math.min(rows.length, MAX_ROWS))}>
      <div className={styles.name}>
        {name}
        {isUnfinished && (at === 0 ? ", in part" : ", so far")}
      </div>
      {rows.slice(0, MAX_ROWS).map((row) => (
        <div key={row.number} className={styles.row} data-chosen={row.number === activeSeries || undefined}>
          <i style={{ color: seriesColor(positions[row.number] ?? row.number, row.isRest) }} />
          <span>{row.name}</span>
          <b>{format(row.value)}</b>
        </div>
      ))}
      {rows.length > MAX_ROWS && <div className={styles.name}>and {rows.length - MAX_ROWS} more</div>}
      {only?.compared && (
        <div className={styles.row}>
          <i data-compared style={{ color: "var(--prev)" }} />
          <span>{line.comparedTimes?.[at] === undefined ? "Before" : props.nameOf(line.comparedTimes[at])}</span>
          <b data-quiet>{format(before)}</b>
        </div>
      )}
      {change !== null && !isUnfinished && (
        <div className={styles.row} data-change>
          <span>Change</span>
          <Delta share={change} good={good} />
        </div>
      )}
    </div>
  );
}

/** Beside the cursor, on the side with more room, and above or below the line, whichever is free. */
function placeOf({ plot, line, at }: TooltipProps, rows: number): React.CSSProperties {
  const x = plot.x(at);
  const values = line.series.map(({ values }) => plot.y(values[at] ?? 0));
  const height = (rows + 2) * ROW;
  const isLow = Math.min(...values) > height || plot.layers !== null;
  const side = x > plot.width / 2 ? { right: plot.width - x + 12 } : { left: x + 12 };
  return { ...side, ...(isLow ? { top: -4 } : { top: Math.max(Math.max(...values) + 12 - Math.max(0, Math.max(...values) + 12 + height - plot.height - 20), -4) }) };
}
