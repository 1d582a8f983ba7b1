import type { BackTest, PastIncident } from "../../api/alerts.ts";
import type { Mark, TimeLine } from "../../charts/series.ts";
import { duration } from "../../core/durations.ts";
import { groupBy } from "../../core/groupBy.ts";
import { countInWords, formatAlone } from "../../core/numbers.ts";
import { toMilliseconds, shortDate } from "../../core/time.ts";
import { dayOf } from "../../scope/days.ts";

/** How many cells the strip has. */
const DAYS = 30;
const DAY_MS = 86_400_000;

/** A day of the strip. */
export interface StripDay {
  /** As the workspace's clocks count days: "2026-11-20". */
  day: string;
  /** "20 Nov"; of the first cell also the part of the day before. */
  label: string;
  /** How many incidents began. */
  incidents: number;
  /** Whether it fired at any time of it. */
  firing: boolean;
}

type Tested = Pick<BackTest, "from" | "to" | "incidents">;

/**
 * Return the last 30 days, today last, with the incidents that began on each. The 30 times 24 hours of a back-test reach
 * into a 31st day; what happened on that part of a day stands in the first cell, so that all incidents are there.
 */
export function stripDaysOf({ from, to, incidents }: Tested, timezone: string): StripDay[] {
  const today = dayOf(to, timezone);
  const days = Array.from({ length: DAYS }, (_, index) => dayBefore(today, DAYS - 1 - index));
  const [first = today] = days;
  const earlier = dayOf(from, timezone);
  const incidentDays = incidents.map(({ firedAt, resolvedAt }) => ({
    startDay: later(dayOf(firedAt, timezone), first),
    endDay: later(dayOf(resolvedAt ?? to, timezone), first),
  }));
  return days.map((day) => ({
    day,
    label: day === first && earlier < first ? `${nameOf(earlier)} and ${nameOf(first)}` : nameOf(day),
    incidents: incidentDays.filter(({ startDay }) => startDay === day).length,
    firing: incidentDays.some(({ startDay, endDay }) => startDay <= day && day <= endDay),
  }));
}

const later = (one: string, other: string): string => (one < other ? other : one);
const dayBefore = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
const nameOf = (day: string): string => shortDate(`${day}T00:00:00Z`, "UTC");

/** Say what a strip shows: "Incidents per day: 2 on 28 Oct, 1 on 20 Nov". */
export function stripInWords(days: readonly StripDay[]): string {
  const parts = days.filter(({ incidents }) => incidents > 0).map(({ incidents, label }) => `${incidents} on ${label}`);
  return parts.length === 0 ? `No incident on any of ${days.length} days` : `Incidents per day: ${parts.join(", ")}`;
}

/** Return for how long it would have fired in all, in milliseconds; an open incident counts up to now. */
export function firingMs({ to, incidents }: Tested): number {
  return incidents.reduce((sum, incident) => sum + lengthOf(incident, to), 0);
}

const lengthOf = ({ firedAt, resolvedAt }: PastIncident, to: string): number => toMilliseconds(resolvedAt ?? to) - toMilliseconds(firedAt);

/** Return whether a rule would have done nothing only because no such event ever came. */
export function isUnseen({ points, fired, notices = [] }: Pick<BackTest, "points" | "fired" | "notices">): boolean {
  return fired === 0 && points.every(({ value }) => !value) && notices.some(({ code }) => code === "unknown_event");
}

/** Head the chart: "Would have fired 3 times". */
export function firedInWords(fired: number): string {
  if (fired === 0) return "Would not have fired";
  return fired === 1 ? "Would have fired once" : `Would have fired ${formatAlone(fired)} times`;
}

/** Return a mark for each day on which incidents began; one that is still open says "now". */
export function marksOf(test: Tested, timezone: string): Mark[] {
  const byDay = groupBy(test.incidents, ({ firedAt }) => dayOf(firedAt, timezone));
  return [...byDay].flatMap(([day, incidents]) => {
    const [first] = incidents;
    const last = incidents.at(-1);
    if (!first || !last) return [];
    const mark: Mark = {
      id: day,
      label: last.resolvedAt === null ? "now" : nameOf(day),
      description: describeIncidents(incidents, test.to),
      color: "var(--error)",
      time: toMilliseconds(first.firedAt),
      timeEnd: last.resolvedAt === null ? null : toMilliseconds(last.resolvedAt),
      count: incidents.length,
      plural: "incidents",
    };
    return [mark];
  });
}

function describeIncidents(incidents: readonly PastIncident[], to: string): string {
  const [first] = incidents;
  const total = duration(incidents.reduce((sum, incident) => sum + lengthOf(incident, to), 0));
  if (incidents.length > 1) return `${countInWords(incidents.length, "incident")}, ${total} in total`;
  const at = first && first.value !== null ? `fired at ${formatAlone(first.value)}, ` : "";
  return `${at}${first?.resolvedAt === null ? "for" : "lasted"} ${total}`;
}

/** Return the values of a back-test as a line; `hours` keeps only the newest of them. */
export function lineOf({ points }: Pick<BackTest, "points">, name: string, hours = points.length): TimeLine {
  const newest = points.slice(-hours);
  return {
    times: newest.map(({ t }) => toMilliseconds(t)),
    series: [{ name, values: newest.map(({ value }) => value), total: null }],
    isFirstPartial: false,
    isLastPartial: false,
  };
}
