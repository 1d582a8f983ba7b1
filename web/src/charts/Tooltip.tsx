import type { ReactNode } from "react";
import { changeOf } from "../core/changes.ts";
import { seriesColor } from "./colors.ts";
import { Delta } from "./Delta.tsx";
import type { CursorProps } from "./cursorProps.ts";
import { partInWords } from "./series.ts";
import styles from "./Tooltip.module.css";

export interface TooltipProps extends CursorProps {
  bucket: number;
  /** The series that the keys have chosen. */
  activeSeries: number | null;
  bucketName: string;
}

const MAX_ROWS = 10;
const ROW_HEIGHT = 18;

/** The values at the cursor, the greatest first; it stands where the lines are not. */
export function Tooltip(props: TooltipProps): ReactNode {
  const { line, bucket, activeSeries, bucketName, format, good } = props;
  const rows = line.series
    .map((series, index) => ({ ...series, index, value: series.values[bucket] ?? null }))
    .sort((left, right) => (right.value ?? -Infinity) - (left.value ?? -Infinity));
  const [onlyRow] = rows.length === 1 ? rows : [];
  const comparedValue = onlyRow?.compared?.[bucket] ?? null;
  const change = onlyRow ? changeOf(onlyRow.value, comparedValue) : null;
  const partText = partInWords(line, bucket);
  return (
    <div className={styles.tooltip} aria-hidden="true" style={tooltipStyle(props, Math.min(rows.length, MAX_ROWS))}>
      <div className={styles.name}>
        {bucketName}
        {partText}
      </div>
      {rows.slice(0, MAX_ROWS).map((row) => (
        <div key={row.index} className={styles.row} data-chosen={row.index === activeSeries || undefined}>
          <i style={{ color: seriesColor(row.color) }} />
          <span>{row.name}</span>
          <b>{format(row.value)}</b>
        </div>
      ))}
      {rows.length > MAX_ROWS && <div className={styles.name}>and {rows.length - MAX_ROWS} more</div>}
      {onlyRow?.compared && (
        <div className={styles.row}>
          <i data-compared style={{ color: "var(--prev)" }} />
          <span>{line.comparedTimes?.[bucket] === undefined ? "Previous" : props.nameOfTime(line.comparedTimes[bucket])}</span>
          <b data-quiet>{format(comparedValue)}</b>
        </div>
      )}
      {change !== null && partText === "" && (
        <div className={styles.row} data-change>
          <span>Change</span>
          <Delta change={change} good={good} />
        </div>
      )}
    </div>
  );
}

/** Beside the cursor, on the side with more room, and above or below the line, whichever is free. */
function tooltipStyle({ plot, line, bucket }: TooltipProps, rowCount: number): React.CSSProperties {
  const x = plot.x(bucket);
  const values = line.series.map(({ values }) => plot.y(values[bucket] ?? 0));
  const height = (rowCount + 2) * ROW_HEIGHT;
  const hasRoomAbove = Math.min(...values) > height || plot.layers !== null;
  const horizontal = x > plot.width / 2 ? { right: plot.width - x + 12 } : { left: x + 12 };
  return { ...horizontal, ...(hasRoomAbove ? { top: -4 } : { top: Math.max(Math.max(...values) + 12 - Math.max(0, Math.max(...values) + 12 + height - plot.height - 20), -4) }) };
}
