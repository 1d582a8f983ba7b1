import type { Alert } from "../../api/alerts.ts";

/** A value and its limit on a common base, as shares of the width of a gauge. */
export interface LimitGauge {
  valueShare: number;
  limitShare: number;
}

/** The larger of value and limit ends a little before the gauge does, so that the mark of the limit has two sides. */
const FULL_SHARE = 0.9;

/** Return how the last value of an alert stands to its limit; null without both, and where one of them is negative. */
export function limitGaugeOf({ condition, lastValue, threshold, noDataSince }: Pick<Alert, "condition" | "lastValue" | "threshold" | "noDataSince">): LimitGauge | null {
  const hasLimit = condition === "above" || condition === "below";
  if (!hasLimit || noDataSince !== null || lastValue === null || threshold === null) return null;
  const greaterValue = Math.max(lastValue, threshold);
  if (Math.min(lastValue, threshold) < 0 || greaterValue === 0) return null;
  return { valueShare: (lastValue / greaterValue) * FULL_SHARE, limitShare: (threshold / greaterValue) * FULL_SHARE };
}
