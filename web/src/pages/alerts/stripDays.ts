import type { BackTest, PastIncident } from "../../api/alerts.ts";
import type { Mark, TimeLine } from "../../charts/series.ts";
import { formatDurationMs } from "../../core/durations.ts";
import { groupBy } from "../../core/groupBy.ts";
import { countInWords, formatAlone } from "../../core/numbers.ts";
import { toMilliseconds } from "../../core/time.ts";
import { addDays, dayOf } from "../../scope/days.ts";
import { shortDay } from "./shortDay.ts";

/** How many cells the strip has. */
const DAY_COUNT = 30;

/** A day of the strip. */
export interface StripDay {
  /** As the workspace's clocks count days: "2026-11-20". */
  day: string;
  /** "20 Nov"; of the first cell also the part of the day before. */
  label: string;
  /** How many incidents began. */
  incidentCount: number;
  /** Whether it fired at any time of it. */
  isFiring: boolean;
}

type TestedPeriod = Pick<BackTest, "from" | "to" | "incidents">;

/**
 * Return the last 30 days, today last, with the incidents that began on each. The 30 times 24 hours of a back-test reach
 * into a 31st day; what happened on that part of a day stands in the first cell, so that all incidents are there.
 */
export function stripDaysOf({ from, to, incidents }: TestedPeriod, timezone: string): StripDay[] {
  const today = dayOf(to, timezone);
  const days = Array.from({ length: DAY_COUNT }, (_, index) => addDays(today, index + 1 - DAY_COUNT));
  const [firstDay = today] = days;
  const partialDay = dayOf(from, timezone);
  const incidentDays = incidents.map(({ firedAt, resolvedAt }) => ({
    startDay: laterDay(dayOf(firedAt, timezone), firstDay),
    endDay: laterDay(dayOf(resolvedAt ?? to, timezone), firstDay),
  }));
  return days.map((day) => ({
    day,
    label: day === firstDay && partialDay < firstDay ? `${shortDay(partialDay)} and ${shortDay(firstDay)}` : shortDay(day),
    incidentCount: incidentDays.filter(({ startDay }) => startDay === day).length,
    isFiring: incidentDays.some(({ startDay, endDay }) => startDay <= day && day <= endDay),
  }));
}

const laterDay = (left: string, right: string): string => (left < right ? right : left);

/** Say what a strip shows: "Incidents per day: 2 on 28 Oct, 1 on 20 Nov". */
export function stripInWords(days: readonly StripDay[]): string {
  const parts = days.filter(({ incidentCount }) => incidentCount > 0).map(({ incidentCount, label }) => `${incidentCount} on ${label}`);
  return parts.length === 0 ? `No incidents in ${days.length} days` : `Incidents per day: ${parts.join(", ")}`;
}

/** Return for how long it would have fired in all, in milliseconds; an open incident counts up to now. */
export function totalFiringMs({ to, incidents }: TestedPeriod): number {
  return incidents.reduce((sum, incident) => sum + lengthMsOf(incident, to), 0);
}

const lengthMsOf = ({ firedAt, resolvedAt }: PastIncident, to: string): number =>
  toMilliseconds(resolvedAt ?? to) - toMilliseconds(firedAt);

/** Return whether a rule would have done nothing only because no such event ever came. */
export function hasUnknownEvent({ points, fired, notices = [] }: Pick<BackTest, "points" | "fired" | "notices">): boolean {
  return fired === 0 && points.every(({ value }) => !value) && notices.some(({ code }) => code === "unknown_event");
}

/** Head the chart: "Would have fired 3 times". */
export function firedInWords(firedCount: number): string {
  if (firedCount === 0) return "Would not have fired";
  return firedCount === 1 ? "Would have fired once" : `Would have fired ${formatAlone(firedCount)} times`;
}

/** Say how often a rule fires by its past 30 days: "fires 3 × a month". */
export function firesInWords(firedCount: number): string {
  if (firedCount === 0) return "never fires";
  return firedCount === 1 ? "fires once a month" : `fires ${formatAlone(firedCount)}\u00a0×\u00a0a month`;
}

/** Return a mark for each day on which incidents began; one that is still open says "now". */
export function marksOf(test: TestedPeriod, timezone: string): Mark[] {
  const incidentsByDay = groupBy(test.incidents, ({ firedAt }) => dayOf(firedAt, timezone));
  return [...incidentsByDay].flatMap(([day, incidents]) => {
    const [firstIncident] = incidents;
    const lastIncident = incidents.at(-1);
    if (!firstIncident || !lastIncident) return [];
    const mark: Mark = {
      id: day,
      label: lastIncident.resolvedAt === null ? "now" : shortDay(day),
      description: describeIncidents(incidents, test.to),
      color: "var(--error)",
      time: toMilliseconds(firstIncident.firedAt),
      timeEnd: lastIncident.resolvedAt === null ? null : toMilliseconds(lastIncident.resolvedAt),
      count: incidents.length,
      plural: "incidents",
      isShort: true,
    };
    return [mark];
  });
}

function describeIncidents(incidents: readonly PastIncident[], to: string): string {
  const [firstIncident] = incidents;
  const totalText = formatDurationMs(incidents.reduce((sum, incident) => sum + lengthMsOf(incident, to), 0));
  if (incidents.length > 1) return `${countInWords(incidents.length, "incident")}, ${totalText} in total`;
  const valueText = firstIncident && firstIncident.value !== null ? `fired at ${formatAlone(firstIncident.value)}, ` : "";
  return `${valueText}${firstIncident?.resolvedAt === null ? "for" : "lasted"} ${totalText}`;
}

/** Return the values of a back-test as a line; `hourCount` keeps only the newest of them. */
export function lineOf({ points }: Pick<BackTest, "points">, name: string, hourCount = points.length): TimeLine {
  const newestPoints = points.slice(-hourCount);
  return {
    times: newestPoints.map(({ t }) => toMilliseconds(t)),
    series: [{ name, values: newestPoints.map(({ value }) => value), total: null }],
  };
}
