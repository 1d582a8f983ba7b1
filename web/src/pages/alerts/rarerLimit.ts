import type { Condition, PastValues } from "../../api/alerts.ts";
import { countInWords } from "../../core/numbers.ts";
import { isLimitCondition, recount } from "./recount.ts";

/** A limit that fires less often than the one suggested. */
export interface RarerLimit {
  limit: number;
  /** "about once a week". */
  frequency: string;
}

/** Firings in 30 days that are about one a week. */
const WEEKLY_MIN = 3;
const WEEKLY_MAX = 6;
/** The most of the firings of a limit that a rarer one may have. */
const MUCH_LESS = 0.7;

type Past = Pick<PastValues, "from" | "minutes">;

/** Say how often a limit fires by its past 30 days: "about 21 times a month"; "" if it never does, or where only the server counts. */
export function frequencyOf(past: Past, condition: Condition, limit: number): string {
  return isLimitCondition(condition) ? frequencyInWords(recount(past, condition, limit).fired) : "";
}

/**
 * Return the nearest value of the past that, as a limit, fires about once a week or less, or else the one that fires
 * least. Null if the limit itself is as rare, or none fires much less.
 */
export function rarerLimitOf(past: Past, condition: Condition, limit: number): RarerLimit | null {
  if (!isLimitCondition(condition)) return null;
  const countAt = (candidate: number): number => recount(past, condition, candidate).fired;
  const limitCount = countAt(limit);
  if (limitCount <= WEEKLY_MAX) return null;
  const direction = condition === "above" ? 1 : -1;
  const values = new Set(past.minutes.values.filter((value) => value !== null));
  const candidates = [...values].filter((value) => direction * value > direction * limit).sort((left, right) => direction * (left - right));
  let [start, end] = [0, candidates.length];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if (countAt(candidates[middle] ?? limit) <= WEEKLY_MAX) end = middle;
    else start = middle + 1;
  }
  for (const candidate of [candidates[start], candidates[start - 1]]) {
    const firedCount = candidate === undefined ? 0 : countAt(candidate);
    if (candidate !== undefined && firedCount > 0 && firedCount <= limitCount * MUCH_LESS) return { limit: candidate, frequency: frequencyInWords(firedCount) };
  }
  return null;
}

function frequencyInWords(firedCount: number): string {
  if (firedCount === 0) return "";
  if (firedCount >= WEEKLY_MIN && firedCount <= WEEKLY_MAX) return "about once a week";
  return firedCount === 1 ? "about once a month" : `about ${countInWords(firedCount, "time")} a month`;
}
