import type { AlertHistory, DayHistory } from "../../api/alerts.ts";
import { countInWords } from "../../core/numbers.ts";
import { addDays } from "../../scope/days.ts";
import { shortDay } from "./shortDay.ts";

/** A day of an alert: `before` it was created, `unknown` if it was not evaluated since, and else what it did. */
export interface HistoryDay {
  /** As the workspace's clocks count days: "2026-11-20". */
  day: string;
  state: "before" | "unknown" | "quiet" | "firing";
  /** How many incidents began. */
  fired: number;
}

/** Return every day of an alert's history, the oldest first. */
export function historyDaysOf({ from, to }: Pick<AlertHistory, "from" | "to">, { knownFrom, knownUntil, firingDays }: Omit<DayHistory, "alertId">): HistoryDay[] {
  const firedByDay = new Map(firingDays.map(({ day, fired }) => [day, fired]));
  return daysBetween(from, to).map((day) => {
    const fired = firedByDay.get(day);
    if (fired !== undefined) return { day, state: "firing", fired };
    const state = day < knownFrom ? "before" : knownUntil === null || day > knownUntil ? "unknown" : "quiet";
    return { day, state, fired: 0 };
  });
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Say what an alert did on a day: "20 Nov: fired twice". */
export function dayInWords({ day, state, fired }: HistoryDay): string {
  const doingByState = { before: "not created yet", unknown: "not evaluated", quiet: "quiet", firing: fired === 0 ? "still firing" : firedInWords(fired) };
  return `${shortDay(day)}: ${doingByState[state]}`;
}

/** Say what an alert did, for people who do not see its days: "Last 30 days: fired 3 times, 2 on 28 Oct, 1 on 20 Nov. Created on 12 Oct." */
export function historyInWords(days: readonly HistoryDay[]): string {
  const firstKnownDay = days.find(({ state }) => state !== "before");
  const firstUnknownDay = days.find(({ state }) => state === "unknown");
  const sentences = [
    `Last ${countInWords(days.length, "day")}: ${[totalInWords(days), ...firingParts(days)].join(", ")}.`,
    firstKnownDay && firstKnownDay !== days[0] ? `Created on ${shortDay(firstKnownDay.day)}.` : "",
    firstUnknownDay ? `Not evaluated since ${shortDay(firstUnknownDay.day)}.` : "",
  ];
  return sentences.filter(Boolean).join(" ");
}

/** Say how often an alert fired in all: "fired 3 times". */
export function totalInWords(days: readonly HistoryDay[]): string {
  const firedCount = days.reduce((sum, { fired }) => sum + fired, 0);
  if (firedCount > 0) return firedInWords(firedCount);
  if (days.some(({ state }) => state === "firing")) return "still firing";
  return days.some(({ state }) => state === "quiet") ? "did not fire" : "not evaluated yet";
}

function firingParts(days: readonly HistoryDay[]): string[] {
  return days.filter(({ fired }) => fired > 0).map(({ day, fired }) => `${fired} on ${shortDay(day)}`);
}

function firedInWords(count: number): string {
  return count === 1 ? "fired once" : count === 2 ? "fired twice" : `fired ${count} times`;
}
