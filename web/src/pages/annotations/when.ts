import type { Annotation } from "../../api/annotations.ts";
import { clock, date, milliseconds, shortDate } from "../../core/time.ts";

const LONG_MS = 2 * 86_400_000;

/**
 * Write when an annotation was: `4 Nov, 14:00`, `12 Nov, 17:40 to 21:10`, `28 Oct to 11 Nov` for whole days. Years
 * other than this one are written. Of more than two days, the hours are left out.
 */
export function whenInWords({ time, timeEnd }: Pick<Annotation, "time" | "timeEnd">, zone: string, now: number = Date.now()): string {
  const year = date(now, zone).slice(-4);
  const day = (at: string): string => (date(at, zone).endsWith(year) ? shortDate(at, zone) : date(at, zone));
  const minute = (at: string): string => clock(at, zone).slice(0, "14:00".length);
  if (timeEnd === null) return `${day(time)}, ${minute(time)}`;
  const isLong = milliseconds(timeEnd) - milliseconds(time) >= LONG_MS;
  if (isLong || (isMidnight(time, zone) && isMidnight(timeEnd, zone))) return `${day(time)} to ${day(timeEnd)}`;
  const isSameDay = date(time, zone) === date(timeEnd, zone);
  return `${day(time)}, ${minute(time)} to ${isSameDay ? minute(timeEnd) : `${day(timeEnd)}, ${minute(timeEnd)}`}`;
}

const isMidnight = (at: string, zone: string): boolean => clock(at, zone) === "00:00:00";
