const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const DAY_S = 86_400;
/** Wider than any zone is from UTC, so that a moment with the same reading lies between. */
const AROUND_S = 26 * 3_600;
const SPACE = "\u00a0";

/** The days of the week as charts name them, Monday first. */
export const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Name an hour of a day: `18:00`. */
export const hourName = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** Name an hour of a week, whose day 0 is Monday: `Mon 18:00`. */
export const weekHourName = (day: number, hour: number): string => `${DAYS[day] ?? ""} ${hourName(hour)}`;

/** A moment as the API writes it (RFC 3339), or in milliseconds since 1970. */
export type Moment = string | number;
export type Interval = "minute" | "hour" | "day" | "week" | "month";

/** Write a moment on the clocks of a zone, to the second: `20 Nov 2026, 12:04:35`. */
export function dateTime(moment: Moment, zone: string): string {
  const localTime = toLocalTime(moment, zone);
  return `${dateOf(localTime)}, ${clockOf(localTime)}`;
}

/** Write a moment to the minute: `20 Nov 2026, 12:04`. */
export function dateMinute(moment: Moment, zone: string): string {
  const localTime = toLocalTime(moment, zone);
  return `${dateOf(localTime)}, ${clockOf(localTime).slice(0, 5)}`;
}

/** Write each moment within a sentence of the API to the minute. */
export function withLocalTimes(sentence: string, zone: string): string {
  return sentence.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (moment) => dateMinute(moment, zone));
}

/** Write a moment of a list as briefly as it stays clear: `12:04:35` today, `19 Nov, 22:42` before. */
export function formatBriefly(moment: Moment, zone: string, now: number = Date.now()): string {
  const [localTime, today] = [toLocalTime(moment, zone), toLocalTime(now, zone)];
  if (dateOf(localTime) === dateOf(today)) return clockOf(localTime);
  const minute = clockOf(localTime).slice(0, 5);
  return `${localTime.getUTCFullYear() === today.getUTCFullYear() ? dayOf(localTime) : dateOf(localTime)}, ${minute}`;
}

/** Write the day of a moment: `20 Nov 2026`. */
export const formatDate = (moment: Moment, zone: string): string => dateOf(toLocalTime(moment, zone));

/** Write the day of a moment without its year: `20 Nov`. */
export const shortDate = (moment: Moment, zone: string): string => dayOf(toLocalTime(moment, zone));

/** Write the day of a moment with its weekday: `Mon 26 Oct 2026`. */
export function weekdayDate(moment: Moment, zone: string): string {
  const localTime = toLocalTime(moment, zone);
  return `${weekdayOf(localTime)} ${dateOf(localTime)}`;
}

/** Write the time of a moment: `12:04:35`. */
export const formatClock = (moment: Moment, zone: string): string => clockOf(toLocalTime(moment, zone));

/** Name the time from one moment of a series to the next: `Mon 26 Oct 2026`, `Week of 26 Oct 2026`, `Oct 2026`. */
export function bucketName(moment: Moment, interval: Interval, zone: string): string {
  const localTime = toLocalTime(moment, zone);
  if (interval === "month") return `${monthOf(localTime)} ${localTime.getUTCFullYear()}`;
  if (interval === "week") return `Week of ${dateOf(localTime)}`;
  const day = `${weekdayOf(localTime)} ${dateOf(localTime)}`;
  return interval === "day" ? day : `${day}, ${clockOf(localTime).slice(0, 5)}`;
}

/** Name a bucket beside others of its range, as in a table: `Mon 26 Oct`, `26 Oct`, `Oct 2026`, `26 Oct, 14:00`. */
export function bucketLabel(moment: Moment, interval: Interval, zone: string): string {
  const localTime = toLocalTime(moment, zone);
  if (interval === "month") return `${monthOf(localTime)} ${localTime.getUTCFullYear()}`;
  if (interval === "week") return dayOf(localTime);
  return interval === "day" ? `${weekdayOf(localTime)} ${dayOf(localTime)}` : `${dayOf(localTime)}, ${clockOf(localTime).slice(0, 5)}`;
}

/** Head a list of the moments of one day: `Today`, `Yesterday`, `Mon 26 Oct 2026`. */
export function dayName(moment: Moment, zone: string, now: number = Date.now()): string {
  const dayCount =
    Math.floor(toLocalTime(now, zone).getTime() / 1_000 / DAY_S) - Math.floor(toLocalTime(moment, zone).getTime() / 1_000 / DAY_S);
  if (dayCount === 0) return "Today";
  return dayCount === 1 ? "Yesterday" : weekdayDate(moment, zone);
}

/** Write how far a moment is from now: `12 s ago`, `5 min ago`, `3 days ago`, `in 2 h`; `now` within a second. */
export function formatAgo(moment: Moment, now: number = Date.now()): string {
  const seconds = Math.round((now - toMilliseconds(moment)) / 1_000);
  const words = distanceInWords(Math.abs(seconds));
  if (words === "") return "now";
  return seconds > 0 ? `${words} ago` : `in ${words}`;
}

function distanceInWords(seconds: number): string {
  if (seconds < 1) return "";
  if (seconds < 60) return `${seconds}${SPACE}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}${SPACE}min`;
  if (seconds < DAY_S) return `${Math.floor(seconds / 3_600)}${SPACE}h`;
  const days = Math.floor(seconds / DAY_S);
  return `${days}${SPACE}${days === 1 ? "day" : "days"}`;
}

/** Return a moment in milliseconds since 1970; NaN if it is none. */
export const toMilliseconds = (moment: Moment): number => (typeof moment === "number" ? moment : Date.parse(moment));

/** Return what a zone's clocks show at a moment, as if it were UTC; both in seconds since 1970. */
export function localTimeAt(seconds: number, zone: string): number {
  if (zone === "UTC") return seconds;
  const wholeSecond = Math.floor(seconds);
  const numberByPart: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOfZone(zone).formatToParts(wholeSecond * 1_000)) numberByPart[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = numberByPart;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000 + (seconds - wholeSecond);
}

/**
 * Return the first moment at which a zone's clocks show this; both in seconds since 1970. For a time that the clocks
 * skip, it is the moment at which they would have shown it.
 */
export function momentOf(localTime: number, zone: string): number {
  if (zone === "UTC") return localTime;
  const offsets = [localTime - AROUND_S, localTime + AROUND_S].map((seconds) => localTimeAt(seconds, zone) - seconds);
  const [earlier = localTime, later = localTime] = offsets.map((offset) => localTime - offset);
  const moments = [earlier, later].filter((seconds) => localTimeAt(seconds, zone) === localTime);
  return moments.length > 0 ? Math.min(...moments) : earlier;
}

/** Write a day that a zone's clocks show: `20 Nov`. */
export const dayOf = (localTime: Date): string => `${localTime.getUTCDate()} ${monthOf(localTime)}`;

/** Write a month that a zone's clocks show: `Nov`. */
export const monthOf = (localTime: Date): string => MONTHS[localTime.getUTCMonth()] ?? "";

/** Write a time that a zone's clocks show: `12:04:35`. */
export function clockOf(localTime: Date): string {
  return [localTime.getUTCHours(), localTime.getUTCMinutes(), localTime.getUTCSeconds()]
    .map((number) => String(number).padStart(2, "0"))
    .join(":");
}

const dateOf = (localTime: Date): string => `${dayOf(localTime)} ${localTime.getUTCFullYear()}`;
const weekdayOf = (localTime: Date): string => WEEKDAYS[localTime.getUTCDay()] ?? "";

/** Return a date whose UTC fields are what the zone's clocks show. */
function toLocalTime(moment: Moment, zone: string): Date {
  return new Date(localTimeAt(toMilliseconds(moment) / 1_000, zone) * 1_000);
}

const formatByZone = new Map<string, Intl.DateTimeFormat>();

function formatOfZone(zone: string): Intl.DateTimeFormat {
  const cachedFormat = formatByZone.get(zone);
  if (cachedFormat) return cachedFormat;
  const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, hourCycle: "h23", calendar: "gregory", numberingSystem: "latn", ...fields });
  formatByZone.set(zone, format);
  return format;
}
