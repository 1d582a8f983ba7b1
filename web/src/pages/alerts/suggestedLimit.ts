import type { BackTest, Condition } from "../../api/alerts.ts";

/** Room between what is measured now and the threshold, as a part of the value. */
const MARGIN_SHARE = 0.5;
const SIGNIFICANT_DIGITS = 2;

/** Conditions whose threshold does not depend on the size of the values. */
const FIXED_THRESHOLDS: Partial<Record<Condition, string>> = { rises: "100", drops: "50", anomaly: "3" };

/**
 * Return the threshold that a new alert begins with: half as much again as what is measured now, or half of it.
 *
 * @returns null while nothing is known, or if nothing is measured now.
 */
export function suggestLimit(condition: Condition, points: BackTest["points"] = []): string | null {
  const fixedThreshold = FIXED_THRESHOLDS[condition];
  if (fixedThreshold !== undefined) return fixedThreshold;
  const currentValue = points.findLast(({ value }) => value !== null)?.value;
  if (!currentValue || condition === "nodata") return null;
  const margin = Math.abs(currentValue) * MARGIN_SHARE;
  const limit = Number((condition === "below" ? currentValue - margin : currentValue + margin).toPrecision(SIGNIFICANT_DIGITS));
  return String(Number.isInteger(currentValue) ? Math.ceil(limit) : limit);
}
