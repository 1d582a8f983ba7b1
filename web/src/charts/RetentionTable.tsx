import { Suspense, useState, type ReactNode } from "react";
import { formatExact, formatWholePercent } from "../core/numbers.ts";
import { rampColors, shadeOfShare } from "./colors.ts";
import { lazily } from "../ui/lazily.ts";
import type { CohortRow } from "./RetentionLines.tsx";
import styles from "./RetentionTable.module.css";
import { ScrollRegion } from "./ScrollRegion.tsx";

/** Most tables are read as tables. */
const RetentionLines = lazily(() => import("./RetentionLines.tsx"), "RetentionLines");

export interface RetentionTableProps {
  title: string;
  /** The unit of time: "Week". */
  period: string;
  cohorts: readonly CohortRow[];
  /** Whether lines are shown first. */
  startsAsLines?: boolean;
  /** Keep the choice of table or lines. */
  onLinesChange?: ((showsLines: boolean) => void) | undefined;
  /** Ask who came back in a period; period 0 is the cohort itself. */
  onCell?: ((cohort: number, period: number) => void) | undefined;
  /** The cell that is open elsewhere on the page. */
  openCell?: readonly [cohort: number, period: number] | undefined;
}

/** Cohorts and the share of them that came back in each period after, as a table or as lines. */
export function RetentionTable(props: RetentionTableProps): ReactNode {
  const { title, period, cohorts, startsAsLines = false, onLinesChange, onCell, openCell } = props;
  const [showsLines, setShowsLines] = useState(startsAsLines);
  const periodCount = Math.max(1, ...cohorts.map(({ returned }) => returned.length));
  const switchView = (isOn: boolean): void => {
    setShowsLines(isOn);
    onLinesChange?.(isOn);
  };
  return (
    <div className={styles.retention}>
      <label className={styles.switch} data-lines={showsLines || undefined}>
        <input type="checkbox" role="switch" checked={showsLines} onChange={(event) => switchView(event.target.checked)} />
        <span>Lines</span>
      </label>
      {showsLines ? (
        <Suspense fallback={<span aria-busy="true" />}>
          <RetentionLines title={title} period={period} cohorts={cohorts} />
        </Suspense>
      ) : (
        <ScrollRegion label={title} parts="tbody tr" noun="cohort">
          <table className={styles.table} aria-label={title} style={{ minWidth: 140 + periodCount * 44 }}>
            <thead>
              <tr>
                <th scope="col">{period === "Week" ? "Week of" : period}</th>
                <th scope="col" data-size>
                  Size
                </th>
                {Array.from({ length: periodCount }, (_, index) => (
                  <th key={index} scope="col" aria-label={`${period} ${index + 1}`}>
                    {index === 0 ? `${period} 1` : index + 1}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cohorts.map((cohort, cohortIndex) => (
                <Row
                  key={cohort.label}
                  cohort={cohort}
                  periodCount={periodCount}
                  period={period}
                  onCell={onCell && ((periodIndex) => onCell(cohortIndex, periodIndex))}
                  openPeriod={openCell?.[0] === cohortIndex ? openCell[1] : undefined}
                />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </div>
  );
}

interface RowProps {
  cohort: CohortRow;
  periodCount: number;
  period: string;
  onCell: ((period: number) => void) | undefined;
  openPeriod: number | undefined;
}

function Row({ cohort: { label, size, returned }, periodCount, period, onCell, openPeriod }: RowProps): ReactNode {
  const sizeText = formatExact(size);
  return (
    <tr>
      <th scope="row">{label}</th>
      <td data-size>
        {onCell && size > 0 ? (
          <button type="button" aria-current={openPeriod === 0 || undefined} aria-label={`${sizeText} in the cohort of ${label} – show who`} onClick={() => onCell(0)}>
            {sizeText}
          </button>
        ) : (
          sizeText
        )}
      </td>
      {Array.from({ length: periodCount }, (_, index) => {
        const returnedCount = returned[index];
        if (returnedCount === undefined || size === 0) return <td key={index} />;
        const isRunning = index === returned.length - 1;
        const percentText = `${formatWholePercent(Math.min(returnedCount / size, 1))}\u2009%`;
        const description = `${label}, ${period} ${index + 1}: ${percentText}, ${formatExact(returnedCount)} of ${sizeText}${isRunning ? ", in progress" : ""}`;
        return (
          <td key={index} data-cell data-running={isRunning || undefined} title={description} style={isRunning ? undefined : rampColors(shadeOfShare(returnedCount / size))}>
            {onCell ? (
              <button type="button" aria-current={openPeriod === index + 1 || undefined} aria-label={`${description} – show who`} onClick={() => onCell(index + 1)}>
                {percentText}
              </button>
            ) : (
              percentText
            )}
            {isRunning && !onCell && <span className={styles.hidden}>, in progress</span>}
          </td>
        );
      })}
    </tr>
  );
}
