import type { Condition, PastValues } from "../../api/alerts.ts";
import { formatExact, powerOfTen } from "../../core/numbers.ts";
import { toSafeDigits } from "./safeDigits.ts";

type PastMinutes = PastValues["minutes"];

/** A threshold to begin with. */
export interface LimitSuggestion {
  /** As it would be typed; "" if none fits. */
  limit: string;
  /** Why it is this one, or why there is none. */
  reason: string;
}

/** The part of the past that an alert should not fire in. */
const USUAL_SHARE = 0.99;
const SIGNIFICANT_DIGITS = 2;
/** Less than a day of values says little about the next one. */
const MIN_MINUTES = 1_440;
/** Percentages that suit most events, for want of a past. */
const COMMON_PERCENTAGES = { rises: "100", drops: "50" };
const DEVIATIONS = "3";

/** Return the threshold that a new alert begins with: the one that 99 % of the past 30 days kept to. */
export function suggestLimit(condition: Condition, minutes: PastMinutes, windowMinutes: number): LimitSuggestion {
  if (condition === "nodata") return { limit: "", reason: "" };
  if (condition === "anomaly") return { limit: DEVIATIONS, reason: "Three standard deviations are a common start." };
  const values = valuesSinceFirst(minutes);
  return condition === "above" || condition === "below" ? suggestValue(condition, values) : suggestPercentage(condition, values, windowMinutes);
}

/** Say why a threshold is what it is, or what the past suggests in place of one that somebody chose. */
export function suggestionInWords(suggestion: LimitSuggestion | undefined, isLimitTyped: boolean): string {
  if (!suggestion) return "";
  if (!isLimitTyped) return suggestion.reason;
  return suggestion.limit === "" ? "" : `The past 30 days suggest ${formatExact(Number(suggestion.limit))}.`;
}

function suggestValue(condition: "above" | "below", values: readonly (number | null)[]): LimitSuggestion {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < MIN_MINUTES) return { limit: "", reason: "There is less than a day of data, too little to suggest a threshold." };
  const isWhole = numbers.every(Number.isInteger);
  if (condition === "above") {
    const maximum = roundReadably(usualMaximum(numbers), Math.ceil, isWhole);
    return { limit: String(maximum), reason: `Suggested: 99\u00a0% of the past 30 days were at or below ${formatExact(maximum)}.` };
  }
  const minimum = roundReadably(-usualMaximum(numbers.map((number) => -number)), Math.floor, isWhole);
  if (minimum <= 0 && numbers.every((number) => number >= 0)) {
    return { limit: "", reason: "It is often 0 or close to it, so no minimum suits the past 30 days." };
  }
  return { limit: String(minimum), reason: `Suggested: 99\u00a0% of the past 30 days were at or above ${formatExact(minimum)}.` };
}

function suggestPercentage(condition: "rises" | "drops", values: readonly (number | null)[], windowMinutes: number): LimitSuggestion {
  const direction = condition === "rises" ? 1 : -1;
  const changes = values.flatMap((value, index) => {
    const previous = values[index - windowMinutes];
    return value === null || !previous ? [] : [(direction * 100 * (value - previous)) / Math.abs(previous)];
  });
  const common = { limit: COMMON_PERCENTAGES[condition], reason: `There is too little to compare, so ${COMMON_PERCENTAGES[condition]}\u00a0% is only a common start.` };
  if (changes.length < MIN_MINUTES) return common;
  const usualChange = usualMaximum(changes);
  if (usualChange <= 0) return { ...common, reason: `It hardly ever ${condition}, so ${COMMON_PERCENTAGES[condition]}\u00a0% is only a common start.` };
  const limit = roundReadably(usualChange, Math.ceil, usualChange >= 1);
  if (condition === "drops" && limit >= 100) return { limit: "", reason: "It often drops to 0, so no percentage suits the past 30 days." };
  return { limit: String(limit), reason: "Suggested: 99\u00a0% of the changes in the past 30 days were smaller." };
}

/** Return the value of each minute since the first that had something to count. */
function valuesSinceFirst({ values, lengths }: PastMinutes): (number | null)[] {
  const first = values.findIndex((value) => value !== null && value !== 0);
  return first < 0 ? [] : values.slice(first).flatMap((value, index) => Array.from({ length: lengths[first + index] ?? 0 }, () => value));
}

/** Return the 99th percentile: the smallest of some numbers that 99 % of them do not exceed. */
function usualMaximum(numbers: readonly number[]): number {
  const ascending = Float64Array.from(numbers).sort();
  return ascending[Math.ceil(ascending.length * USUAL_SHARE) - 1] ?? 0;
}

/** Round to two digits in one direction; what counts whole things stays whole. */
function roundReadably(number: number, round: (number: number) => number, isWhole: boolean): number {
  if (number === 0) return 0;
  const power = Math.floor(Math.log10(Math.abs(number))) + 1 - SIGNIFICANT_DIGITS;
  const unit = powerOfTen(isWhole ? Math.max(power, 0) : power);
  // Without this, 0.29 would become 0.3, because its quotient is a little more than 29.
  const quotient = toSafeDigits(number / unit);
  return toSafeDigits(round(quotient) * unit);
}
