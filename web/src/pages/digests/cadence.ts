import type { Digest } from "../../api/digests.ts";
import { ordinal } from "../../core/numbers.ts";
import { formatDate, toMilliseconds, shortDate } from "../../core/time.ts";

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export const LAST_MONTH_DAY = 31;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SPACE = "\u00a0";

type Schedule = Pick<Digest, "cadence" | "sendHour" | "weekday" | "dayOfMonth" | "timezone">;

/** Say when a digest is due: `Every Monday at 09:00, Europe/Berlin`, `On the 1st of each month at 10:00, UTC`. */
export function cadenceInWords({ cadence, sendHour, weekday, dayOfMonth, timezone }: Schedule): string {
  const timeText = `at ${hourInWords(sendHour)}, ${timezone}`;
  if (cadence === "weekly") return `Every ${WEEKDAYS[weekday ?? 1] ?? "week"} ${timeText}`;
  if (cadence === "monthly") return `On the ${dayInWords(dayOfMonth ?? 1)} of each month ${timeText}`;
  return `Every day ${timeText}`;
}

/** Write an hour of the day: `09:00`. */
export const hourInWords = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** Write a day of the month: `1st`, `22nd`; the 31st is the `last day` of each. */
export function dayInWords(day: number): string {
  return day === LAST_MONTH_DAY ? "last day" : ordinal(day);
}

/** Say when a digest is sent next: `next in 2 d 20 h` within a week, `next on 1 Dec` later, `paused`. */
export function nextSendInWords(nextSendAt: string | null, timezone: string, now: number = Date.now()): string {
  if (nextSendAt === null) return "paused";
  const remainingMs = toMilliseconds(nextSendAt) - now;
  if (remainingMs < MINUTE_MS) return "next in a moment";
  if (remainingMs >= 7 * DAY_MS) return `next on ${formatDate(now, timezone).slice(-4) === formatDate(nextSendAt, timezone).slice(-4) ? shortDate(nextSendAt, timezone) : formatDate(nextSendAt, timezone)}`;
  const [days, hours, minutes] = [
    Math.floor(remainingMs / DAY_MS),
    Math.floor(remainingMs / HOUR_MS) % 24,
    Math.floor(remainingMs / MINUTE_MS) % 60,
  ];
  const parts = days > 0 ? [[days, "d"], [hours, "h"]] : [[hours, "h"], [minutes, "min"]];
  return `next in ${parts.filter(([count]) => count !== 0).map(([count, unit]) => `${count ?? ""}${SPACE}${unit ?? ""}`).join(" ")}`;
}
