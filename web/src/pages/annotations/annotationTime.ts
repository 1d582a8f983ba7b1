import type { Annotation } from "../../api/annotations.ts";
import { formatClock, formatDate, toMilliseconds, shortDate } from "../../core/time.ts";

const HIDE_HOURS_FROM_MS = 2 * 86_400_000;

/**
 * Write when an annotation was: `4 Nov, 14:00`, `12 Nov, 17:40 to 21:10`, `28 Oct to 11 Nov` for whole days. Years
 * other than this one are written. Of more than two days, the hours are left out.
 */
export function whenInWords({ time, timeEnd }: Pick<Annotation, "time" | "timeEnd">, timezone: string, now: number = Date.now()): string {
  const currentYear = formatDate(now, timezone).slice(-4);
  const formatDay = (timestamp: string): string =>
    (formatDate(timestamp, timezone).endsWith(currentYear) ? shortDate(timestamp, timezone) : formatDate(timestamp, timezone));
  const formatMinute = (timestamp: string): string => formatClock(timestamp, timezone).slice(0, "14:00".length);
  if (timeEnd === null) return `${formatDay(time)}, ${formatMinute(time)}`;
  const isLong = toMilliseconds(timeEnd) - toMilliseconds(time) >= HIDE_HOURS_FROM_MS;
  if (isLong || (isMidnight(time, timezone) && isMidnight(timeEnd, timezone))) return `${formatDay(time)} to ${formatDay(timeEnd)}`;
  const isSameDay = formatDate(time, timezone) === formatDate(timeEnd, timezone);
  const endText = isSameDay ? formatMinute(timeEnd) : `${formatDay(timeEnd)}, ${formatMinute(timeEnd)}`;
  return `${formatDay(time)}, ${formatMinute(time)} to ${endText}`;
}

const isMidnight = (timestamp: string, timezone: string): boolean => formatClock(timestamp, timezone) === "00:00:00";
