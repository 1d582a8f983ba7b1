import { formatAgo, formatDate, toMilliseconds } from "../../core/time.ts";

/** The server notes a use at most this often, so that a key used less long ago is in use. */
const IN_USE_MS = 120_000;
const MONTH_MS = 30 * 86_400_000;

/** Return whether a key is in use at this moment. */
export function isInUse(at: string | null, now: number = Date.now()): boolean {
  return at !== null && now - toMilliseconds(at) < IN_USE_MS;
}

/** Write when a key was last used: `now`, `6 min ago`, the day after a month, `never`. */
export function lastUse(at: string | null, timezone: string, now: number = Date.now()): string {
  if (at === null) return "never";
  if (isInUse(at, now)) return "now";
  return now - toMilliseconds(at) < MONTH_MS ? formatAgo(at, now) : formatDate(at, timezone);
}
