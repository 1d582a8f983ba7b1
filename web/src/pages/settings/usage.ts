import type { Usage } from "../../api/workspace.ts";

export const DAY_MS = 86_400_000;
const MONTH_NAMES = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
/** Of a month that has only begun, nothing can be said about its end. */
const MIN_DAYS_TO_EXPECT = 2;

/** A month's usage as the meter shows it. */
export interface Meter {
  month: string;
  nextMonth: string;
  /** Days until it begins anew. */
  resetsInDays: number;
  dayNumber: number;
  dayCount: number;
  /** How full the plan is, from 0 to 1; null where it has no cap. */
  usedShare: number | null;
  /** How many events there will be at the end if it goes on like this; null when nothing can be said. */
  expectedCount: number | null;
}

/** Work out the meter of a usage at a moment, in milliseconds since 1970. */
export function meterOf({ period, used, cap, resetsAt }: Usage, now: number): Meter {
  const [year = 1970, monthNumber = 1] = period.split("-").map(Number);
  const beginMs = Date.UTC(year, monthNumber - 1, 1);
  const endMs = Date.parse(resetsAt);
  const elapsedShare = Math.min(1, Math.max(0, (now - beginMs) / (endMs - beginMs)));
  return {
    month: MONTH_NAMES[monthNumber - 1] ?? "",
    nextMonth: MONTH_NAMES[monthNumber % 12] ?? "",
    resetsInDays: Math.max(0, Math.ceil((endMs - now) / DAY_MS)),
    dayNumber: Math.floor((Math.min(now, endMs - 1) - beginMs) / DAY_MS) + 1,
    dayCount: Math.round((endMs - beginMs) / DAY_MS),
    usedShare: cap === null ? null : Math.min(1, cap === 0 ? 1 : used / cap),
    expectedCount: now - beginMs < MIN_DAYS_TO_EXPECT * DAY_MS ? null : Math.round(used / elapsedShare),
  };
}
