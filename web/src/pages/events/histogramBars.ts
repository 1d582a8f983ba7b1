import type { components } from "../../api/schema.gen.ts";
import type { Result } from "../../api/widgets.ts";
import { seriesColor } from "../../charts/colors.ts";
import { assignColors } from "../../core/valueColors.ts";
import { isFailure } from "../../core/failureNames.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { type Interval, toMilliseconds } from "../../core/time.ts";

type Multiseries = components["schemas"]["Multiseries"];

/** Names that are told apart; all others are one part of each bar. */
export const MAX_NAMES = 4;

/** One bar: how many events of each name came in a stretch of time. Times are in milliseconds since 1970. */
export interface Bar {
  from: number;
  to: number;
  counts: number[];
  total: number;
  isPartial: boolean;
  /** It is not over, so that more events may come. */
  isOpen: boolean;
  /** False for a stretch that begins later than now. */
  hasBegun: boolean;
}

export interface Histogram {
  interval: Interval;
  names: { name: string; color: string; total: number }[];
  bars: Bar[];
  total: number;
}

const INTERVAL_MS: Record<Interval, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_678_400_000,
};

/** Return the bars of an answer by name; null for another kind of answer. */
export function histogramOf(result: Result): Histogram | null {
  if (result.kind !== "multiseries") return null;
  const { series, interval } = result;
  const shownSeries = series.filter(({ points }) => points.some(({ value }) => value));
  const names = withColors(shownSeries).map(({ name, color }, index) => ({ name, color, total: sum(shownSeries[index]?.points.map(({ value }) => value ?? 0) ?? []) }));
  const bars = (series[0]?.points ?? []).map(({ t, partial = false, cut = false }, index, points): Bar => {
    const from = toMilliseconds(t);
    const nextPoint = points[index + 1];
    const counts = shownSeries.map(({ points: seriesPoints }) => seriesPoints[index]?.value ?? 0);
    return {
      from,
      to: nextPoint ? toMilliseconds(nextPoint.t) : from + INTERVAL_MS[interval],
      counts,
      total: sum(counts),
      isPartial: partial,
      isOpen: partial && !cut && (index > 0 || points.length === 1),
      hasBegun: series.some(({ points: seriesPoints }) => (seriesPoints[index]?.value ?? null) !== null),
    };
  });
  return { interval, names, bars, total: sum(bars.map(({ total }) => total)) };
}

const FAILURE_COLOR = 7;

/** Names have their own colors, and all failures the same red; the rest is grey. */
function withColors(series: Multiseries["series"]): { name: string; color: string }[] {
  const names = series.flatMap(({ label }) => label ?? []);
  const failureColors = Object.fromEntries(names.filter(isFailure).map((name) => [name, FAILURE_COLOR]));
  const colors = assignColors(names, failureColors);
  return series.map(({ label }) =>
    label === null ? { name: "other", color: seriesColor("rest") } : { name: label, color: seriesColor(colors.get(label)) },
  );
}

/** Return the time range from one bar to another, in either order, both included. */
export function timeRangeOfBars(bars: readonly Bar[], fromIndex: number, toIndex: number): TimeRange | null {
  const firstBar = bars[Math.max(0, Math.min(fromIndex, toIndex))];
  const lastBar = bars[Math.min(bars.length - 1, Math.max(fromIndex, toIndex))];
  return firstBar && lastBar ? { from: new Date(firstBar.from).toISOString(), to: new Date(lastBar.to).toISOString() } : null;
}

/** Return which of so many bars stands at a share of the width. */
export const barIndexAt = (share: number, barCount: number): number => Math.min(barCount - 1, Math.max(0, Math.floor(share * barCount)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
