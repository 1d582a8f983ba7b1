import type { ActivityEntry, Alert } from "../../api/alerts.ts";
import { groupBy } from "../../core/groupBy.ts";
import { formatAgo, formatDate, dayName, toMilliseconds, shortDate } from "../../core/time.ts";

const DAY_MS = 86_400_000;
/** So long ago that the year has to be said. */
const LONG_AGO_MS = 300 * DAY_MS;

/** A day with what alerts did on it. */
export interface ActivityDay {
  name: string;
  entries: ActivityEntry[];
}

/** Put what alerts did under its days; the newest stays first. */
export function groupByDay(entries: readonly ActivityEntry[], timezone: string, now: number): ActivityDay[] {
  return [...groupBy(entries, ({ at }) => dayName(at, timezone, now))].map(([name, dayEntries]) => ({ name, entries: dayEntries }));
}

/** Return how long each incident lasted, by the id of the entry that ended it; none whose beginning is not listed. */
export function durationMsByEntryId(entries: readonly ActivityEntry[]): Map<string, number> {
  const durationMsById = new Map<string, number>();
  const firedMsByAlertId = new Map<string, number>();
  for (const { id, alertId, type, at } of entries.toReversed()) {
    const firedMs = firedMsByAlertId.get(alertId);
    if (type === "fired") firedMsByAlertId.set(alertId, toMilliseconds(at));
    else if (type === "resolved" && firedMs !== undefined) {
      durationMsById.set(id, toMilliseconds(at) - firedMs);
      firedMsByAlertId.delete(alertId);
    }
  }
  return durationMsById;
}

/** Return when an alert last fired, if that is listed. */
export function lastFiredAt(entries: readonly ActivityEntry[], alertId: string): string | undefined {
  return entries.find((entry) => entry.alertId === alertId && entry.type === "fired")?.at;
}

/** Say when an alert last fired: "last fired 14 min ago", "last fired 12 Nov", "never fired", or since when it has not. */
export function lastFiredInWords(entries: readonly ActivityEntry[], isWholeActivity: boolean, alert: Pick<Alert, "id">, timezone: string, now: number): string {
  const firedAt = lastFiredAt(entries, alert.id);
  if (firedAt !== undefined) return `last fired ${whenBriefly(firedAt, timezone, now)}`;
  const oldestAt = entries.at(-1)?.at;
  return isWholeActivity || oldestAt === undefined ? "never fired" : `not fired since ${whenBriefly(oldestAt, timezone, now)}`;
}

function whenBriefly(at: string, timezone: string, now: number): string {
  const ageMs = now - toMilliseconds(at);
  if (ageMs < DAY_MS) return formatAgo(at, now);
  return ageMs < LONG_AGO_MS ? shortDate(at, timezone) : formatDate(at, timezone);
}

/** Return the entries of one environment's alerts; those of deleted alerts belong to all. */
export function activityWithin(entries: readonly ActivityEntry[], alerts: readonly Pick<Alert, "id" | "environment">[], environment: string): ActivityEntry[] {
  const otherAlertIds = new Set(alerts.filter((alert) => alert.environment !== environment).map(({ id }) => id));
  return entries.filter(({ alertId }) => !otherAlertIds.has(alertId));
}

/** Put what fires first, the critical before the warnings; else the order in which alerts were made. */
export function sortByUrgency<AlertLike extends Pick<Alert, "status" | "severity">>(alerts: readonly AlertLike[]): AlertLike[] {
  const rank = ({ status, severity }: AlertLike) => (status === "firing" ? (severity === "critical" ? 0 : 1) : 2);
  return alerts.toSorted((left, right) => rank(left) - rank(right));
}
