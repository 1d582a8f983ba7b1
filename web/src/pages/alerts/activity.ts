import type { Activity, Alert } from "../../api/alerts.ts";
import { groupBy } from "../../core/groupBy.ts";
import { formatAgo, formatDate, dayName, toMilliseconds, shortDate } from "../../core/time.ts";

const DAY_MS = 86_400_000;
/** So long ago that the year has to be said. */
const LONG_AGO_MS = 300 * DAY_MS;

/** A day with what alerts did on it. */
export interface ActivityDay {
  name: string;
  entries: Activity[];
}

/** Put what alerts did under its days; the newest stays first. */
export function daysOf(entries: readonly Activity[], timezone: string, now: number): ActivityDay[] {
  return [...groupBy(entries, ({ at }) => dayName(at, timezone, now))].map(([name, own]) => ({ name, entries: own }));
}

/** Return how long each incident lasted, by the id of the entry that ended it; none whose beginning is not listed. */
export function durationsById(entries: readonly Activity[]): Map<string, number> {
  const durations = new Map<string, number>();
  const open = new Map<string, number>();
  for (const { id, alertId, type, at } of entries.toReversed()) {
    const began = open.get(alertId);
    if (type === "fired") open.set(alertId, toMilliseconds(at));
    else if (type === "resolved" && began !== undefined) {
      durations.set(id, toMilliseconds(at) - began);
      open.delete(alertId);
    }
  }
  return durations;
}

/** Return when an alert last fired, if that is listed. */
export function lastFired(entries: readonly Activity[], alertId: string): string | undefined {
  return entries.find((entry) => entry.alertId === alertId && entry.type === "fired")?.at;
}

/** Say when an alert last fired: "14 min ago", "12 Nov", "never", or since when it has not. */
export function lastFiredInWords(entries: readonly Activity[], isWhole: boolean, alert: Pick<Alert, "id">, timezone: string, now: number): string {
  const at = lastFired(entries, alert.id);
  if (at !== undefined) return whenBriefly(at, timezone, now);
  const oldest = entries.at(-1)?.at;
  return isWhole || oldest === undefined ? "never" : `not since ${whenBriefly(oldest, timezone, now)}`;
}

function whenBriefly(at: string, timezone: string, now: number): string {
  const age = now - toMilliseconds(at);
  if (age < DAY_MS) return formatAgo(at, now);
  return age < LONG_AGO_MS ? shortDate(at, timezone) : formatDate(at, timezone);
}

/** Return the entries of one environment's alerts; those of deleted alerts belong to all. */
export function activityWithin(entries: readonly Activity[], alerts: readonly Pick<Alert, "id" | "environment">[], environment: string): Activity[] {
  const elsewhere = new Set(alerts.filter((alert) => alert.environment !== environment).map(({ id }) => id));
  return entries.filter(({ alertId }) => !elsewhere.has(alertId));
}

/** Put what fires first, the critical before the warnings; else the order in which alerts were made. */
export function byUrgency<Shown extends Pick<Alert, "status" | "severity">>(alerts: readonly Shown[]): Shown[] {
  const rank = ({ status, severity }: Shown) => (status === "firing" ? (severity === "critical" ? 0 : 1) : 2);
  return alerts.toSorted((one, other) => rank(one) - rank(other));
}
