import { formatAgo, formatDate, toMilliseconds } from "../../core/time.ts";

/** The server notes a use at most this often, so that a key used less long ago is in use. */
const IN_USE_MS = 120_000;
const MONTH_MS = 30 * 86_400_000;

/** Return whether a key is in use at this moment. */
export function isInUse(lastUsedAt: string | null, now: number = Date.now()): boolean {
  return lastUsedAt !== null && now - toMilliseconds(lastUsedAt) < IN_USE_MS;
}

/** Write when a key was last used: `now`, `6 min ago`, the day after a month, `never`. */
export function lastUseInWords(lastUsedAt: string | null, timezone: string, now: number = Date.now()): string {
  if (lastUsedAt === null) return "never";
  if (isInUse(lastUsedAt, now)) return "now";
  return now - toMilliseconds(lastUsedAt) < MONTH_MS ? formatAgo(lastUsedAt, now) : formatDate(lastUsedAt, timezone);
}
