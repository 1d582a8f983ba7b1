import type { ReactNode } from "react";
import { formatExact, formatPercent } from "../core/numbers.ts";
import { Axes } from "./Axes.tsx";
import { Legend } from "./Legend.tsx";
import { linePath } from "./path.ts";
import { linearScale, valueTicks } from "./scale.ts";
import styles from "./RetentionLines.module.css";
import { useSize } from "./useSize.ts";

export interface CohortRow {
  /** When the cohort began, in words. */
  label: string;
  size: number;
  /** How many came back in period 1, 2 and so on; the last period is not over. */
  returned: readonly number[];
}

export interface RetentionLinesProps {
  title: string;
  period: string;
  cohorts: readonly CohortRow[];
}

/** How cohorts fade: a grey line for each, and a blue one for all of them together. */
export function RetentionLines({ title, period, cohorts }: RetentionLinesProps): ReactNode {
  const [ref, size] = useSize<HTMLDivElement>();
  const periodCount = Math.max(1, ...cohorts.map(({ returned }) => returned.length));
  const overallShares = overallSharesOf(cohorts, periodCount);
  const { width, height } = size ?? { width: 1, height: 1 };
  const ticks = valueTicks(0, Math.max(0.01, ...cohorts.flatMap(sharesOf)), 5);
  const [shareOfPeriod, shareOfRate] = [linearScale(0, Math.max(periodCount - 1, 1)), linearScale(0, ticks.values.at(-1) ?? 1)];
  const places = { x: (index: number) => shareOfPeriod(index) * width, y: (value: number) => (1 - shareOfRate(value)) * height };
  const pathOf = (values: readonly (number | null)[]): string =>
    linePath(values, [...values.keys()], places);
  const axes = {
    valueLabels: ticks.values.map((value) => ({
      share: 1 - shareOfRate(value),
      label: `${Math.round(value * 100)}\u2009%`,
      align: "end" as const,
    })),
    momentLabels: Array.from({ length: periodCount }, (_, index) => ({
      share: shareOfPeriod(index),
      label: index === 0 ? `${period} 1` : String(index + 1),
      align: index === 0 ? ("start" as const) : ("middle" as const),
    })),
  };
  return (
    <div className={styles.chart} role="img" aria-label={`${title}. ${summaryOf(overallShares, period)}`}>
      <Legend entries={[{ name: "All cohorts", color: "var(--s1)", value: "" }]} hiddenPositions={new Set()} />
      <div className={styles.plot} ref={ref}>
        <Axes plot={axes} />
        <svg viewBox={`0 0 ${Math.max(width, 1)} ${Math.max(height, 1)}`} preserveAspectRatio="none" aria-hidden="true">
          {cohorts.map((cohort) => (
            <path key={cohort.label} d={pathOf(sharesOf(cohort))}>
              <title>{`${cohort.label}: ${formatExact(cohort.size)}`}</title>
            </path>
          ))}
          <path data-together d={pathOf(overallShares)} />
        </svg>
      </div>
    </div>
  );
}

/** Return the shares that came back, without the period that is not over. */
function sharesOf({ size, returned }: CohortRow): number[] {
  return size === 0 ? [] : returned.slice(0, -1).map((returnedCount) => Math.min(returnedCount / size, 1));
}

/** Return the share of all cohorts that have seen a period to its end. */
function overallSharesOf(cohorts: readonly CohortRow[], periodCount: number): (number | null)[] {
  return Array.from({ length: periodCount }, (_, index) => {
    const finishedCohorts = cohorts.filter(({ size, returned }) => size > 0 && index < returned.length - 1);
    const size = finishedCohorts.reduce((sum, cohort) => sum + cohort.size, 0);
    return size === 0 ? null : finishedCohorts.reduce((sum, { returned }) => sum + (returned[index] ?? 0), 0) / size;
  });
}

function summaryOf(overallShares: readonly (number | null)[], period: string): string {
  const parts = overallShares.flatMap((share, index) => (share === null ? [] : [`${period} ${index + 1}: ${formatPercent(share)}`]));
  return parts.length > 0 ? `All cohorts: ${parts.join(", ")}.` : "No period is complete yet.";
}
