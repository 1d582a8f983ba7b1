import { toFixedEven, formatShort } from "./numbers.ts";

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;
const SPACE = "\u00a0";

/** Write a length of time with its two largest units: `under 1 min`, `22 min`, `3 h 5 min`, `2 days 4 h`. */
export function formatDurationMs(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return `under 1${SPACE}min`;
  const days = Math.floor(minutes / DAY);
  const units: [number, string][] = [
    [days, days === 1 ? "day" : "days"],
    [Math.floor((minutes % DAY) / HOUR), "h"],
    [minutes % HOUR, "min"],
  ];
  const largestIndex = units.findIndex(([count]) => count > 0);
  return units
    .slice(largestIndex, largestIndex + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${SPACE}${unit}`)
    .join(" ");
}

/** Write a length of time in the largest unit that it has at least two of: `48 s`, `5.8 min`, `12 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 0.5) return `under 1${SPACE}s`;
  for (const [unit, word] of [[86_400, "days"], [3_600, "h"], [60, "min"]] as const) {
    if (seconds >= 2 * unit) return `${formatRounded(seconds / unit)}${SPACE}${word}`;
  }
  return `${formatRounded(seconds)}${SPACE}s`;
}

const formatRounded = (value: number): string => formatShort(Number(toFixedEven(value, value < 10 ? 1 : 0)));

/** Write a number of minutes in full, as a sentence has it: `1 minute`, `15 minutes`, `2 hours`; an hour is 60 minutes. */
export function minutesInWords(minutes: number): string {
  if (isHours(minutes)) return `${minutes / HOUR} hours`;
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** Write a number of minutes as short as a list wants it: `15 min`, `2 h`. */
export function minutesBriefly(minutes: number): string {
  return isHours(minutes) ? `${minutes / HOUR}${SPACE}h` : `${minutes}${SPACE}min`;
}

const isHours = (minutes: number): boolean => minutes > HOUR && minutes % HOUR === 0;
