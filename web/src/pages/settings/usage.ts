import type { Usage } from "../../api/workspace.ts";
import { DAYS_MS, daysUntil } from "./days.ts";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
/** Of a month that has only begun, nothing can be said about its end. */
const ENOUGH_DAYS = 2;

/** A month's usage as the meter shows it. */
export interface Meter {
  month: string;
  nextMonth: string;
  /** Days until it begins anew. */
  resetsIn: number;
  day: number;
  days: number;
  /** How full the plan is, from 0 to 1; null where it has no cap. */
  share: number | null;
  /** How many events there will be at the end if it goes on like this; null when nothing can be said. */
  expected: number | null;
}

/** Work out the meter of a usage at a moment, in milliseconds since 1970. */
export function meterOf({ period, used, cap, resetsAt }: Usage, now: number): Meter {
  const [year = 1970, month = 1] = period.split("-").map(Number);
  const begin = Date.UTC(year, month - 1, 1);
  const end = Date.parse(resetsAt);
  const fraction = Math.min(1, Math.max(0, (now - begin) / (end - begin)));
  return {
    month: MONTHS[month - 1] ?? "",
    nextMonth: MONTHS[month % 12] ?? "",
    resetsIn: daysUntil(end, now),
    day: Math.floor((Math.min(now, end - 1) - begin) / DAYS_MS) + 1,
    days: Math.round((end - begin) / DAYS_MS),
    share: cap === null ? null : Math.min(1, cap === 0 ? 1 : used / cap),
    expected: now - begin < ENOUGH_DAYS * DAYS_MS ? null : Math.round(used / fraction),
  };
}
