import type { Annotation } from "../../api/annotations.ts";
import { formatClock, formatDate, toMilliseconds, shortDate } from "../../core/time.ts";

const LONG_MS = 2 * 86_400_000;

/**
 * Write when an annotation was: `4 Nov, 14:00`, `12 Nov, 17:40 to 21:10`, `28 Oct to 11 Nov` for whole days. Years
 * other than this one are written. Of more than two days, the hours are left out.
 */
export function whenInWords({ time, timeEnd }: Pick<Annotation, "time" | "timeEnd">, zone: string, now: number = Date.now()): string {
  const year = formatDate(now, zone).slice(-4);
  const day = (at: string): string => (formatDate(at, zone).endsWith(year) ? shortDate(at, zone) : formatDate(at, zone));
  const minute = (at: string): string => formatClock(at, zone).slice(0, "14:00".length);
  if (timeEnd === null) return `${day(time)}, ${minute(time)}`;
  const isLong = toMilliseconds(timeEnd) - toMilliseconds(time) >= LONG_MS;
  if (isLong || (isMidnight(time, zone) && isMidnight(timeEnd, zone))) return `${day(time)} to ${day(timeEnd)}`;
  const isSameDay = formatDate(time, zone) === formatDate(timeEnd, zone);
  return `${day(time)}, ${minute(time)} to ${isSameDay ? minute(timeEnd) : `${day(timeEnd)}, ${minute(timeEnd)}`}`;
}

const isMidnight = (at: string, zone: string): boolean => formatClock(at, zone) === "00:00:00";
