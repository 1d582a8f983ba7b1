import { useState, type ReactNode } from "react";
import { formatExact, formatWholePercent } from "../core/numbers.ts";
import { rampColors, shadeOfShare } from "./colors.ts";
import { type CohortRow, RetentionLines } from "./RetentionLines.tsx";
import styles from "./RetentionTable.module.css";

export interface RetentionTableProps {
  title: string;
  /** The unit of time: "Week". */
  period: string;
  cohorts: readonly CohortRow[];
  /** Whether lines are shown first. */
  isLine?: boolean;
  /** Keep the choice of table or lines. */
  onLine?: ((isLine: boolean) => void) | undefined;
  /** Ask who came back in a period; period 0 is the cohort itself. */
  onCell?: ((cohort: number, period: number) => void) | undefined;
}

/** Cohorts and the share of them that came back in each period after, as a table or as lines. */
export function RetentionTable(props: RetentionTableProps): ReactNode {
  const { title, period, cohorts, isLine = false, onLine, onCell } = props;
  const [isLines, setLines] = useState(isLine);
  const periods = Math.max(1, ...cohorts.map(({ returned }) => returned.length));
  const change = (on: boolean): void => {
    setLines(on);
    onLine?.(on);
  };
  return (
    <div className={styles.retention}>
      <label className={styles.switch} data-lines={isLines || undefined}>
        <input type="checkbox" role="switch" checked={isLines} onChange={(event) => change(event.target.checked)} />
        <span>Line</span>
      </label>
      {isLines ? (
        <RetentionLines title={title} period={period} cohorts={cohorts} />
      ) : (
        // What scrolls must be reachable by keys.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={styles.region} role="group" aria-label={title} tabIndex={0}>
          <table aria-label={title} style={{ minWidth: 140 + periods * 44 }}>
            <thead>
              <tr>
                <th scope="col">{period === "Week" ? "Week of" : period}</th>
                <th scope="col" data-size>
                  Size
                </th>
                {Array.from({ length: periods }, (_, index) => (
                  <th key={index} scope="col" aria-label={`${period} ${index + 1}`}>
                    {index === 0 ? `${period} 1` : index + 1}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cohorts.map((cohort, row) => (
                <Row key={cohort.label} cohort={cohort} periods={periods} period={period} onCell={onCell && ((at) => onCell(row, at))} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  cohort: CohortRow;
  periods: number;
  period: string;
  onCell: ((period: number) => void) | undefined;
}

function Row({ cohort: { label, size, returned }, periods, period, onCell }: RowProps): ReactNode {
  const count = formatExact(size);
  return (
    <tr>
      <th scope="row">{label}</th>
      <td data-size>
        {onCell && size > 0 ? (
          <button type="button" aria-label={`${count} in the cohort of ${label} – who`} onClick={() => onCell(0)}>
            {count}
          </button>
        ) : (
          count
        )}
      </td>
      {Array.from({ length: periods }, (_, index) => {
        const back = returned[index];
        if (back === undefined || size === 0) return <td key={index} />;
        const isRunning = index === returned.length - 1;
        const words = `${formatWholePercent(Math.min(back / size, 1))}\u2009%`;
        const description = `${label}, ${period} ${index + 1}: ${words}, ${formatExact(back)} of ${count}${isRunning ? ", in progress" : ""}`;
        return (
          <td key={index} data-cell data-running={isRunning || undefined} title={description} style={isRunning ? undefined : rampColors(shadeOfShare(back / size))}>
            {onCell ? (
              <button type="button" aria-label={`${description} – who`} onClick={() => onCell(index + 1)}>
                {words}
              </button>
            ) : (
              words
            )}
            {isRunning && !onCell && <span className={styles.hidden}>, in progress</span>}
          </td>
        );
      })}
    </tr>
  );
}
