import type { RaceLine } from "./race.ts";

const DAY_MS = 86_400_000;
/** A pace is that of so many days, and a forecast needs all of them. */
export const PACE_DAYS = 14;
/** A forecast goes so many days ahead. */
export const FORECAST_DAYS = 30;
/** A counter that falls below this share of itself in one step has started again. */
const RESTART_SHARE = 0.5;

/** How much two bots gained a day, over the same days. */
export interface Paces {
  /** At most `PACE_DAYS`. */
  days: number;
  leader: number;
  rival: number;
}

/** Where the pace of two bots leads; why nobody can say it, if so. */
export type Forecast =
  | { kind: "ahead"; lead: number; time: number }
  | { kind: "passed"; time: number }
  | { kind: "none"; reason: "short" | "restarts" | "uneven" };

/** Two bots at the moments `times`, in milliseconds since 1970, an hour or a day apart. */
export interface Duel {
  times: readonly number[];
  leader: RaceLine;
  rival: RaceLine;
}

/** Return what both gained a day in the last days; null for less than a day, or where a counter started again. */
export function pacesOf(duel: Duel): Paces | null {
  const { times, leader, rival } = duel;
  const start = startOfPace(duel);
  const lastBucket = times.length - 1;
  const days = ((times[lastBucket] ?? 0) - (times[start] ?? 0)) / DAY_MS;
  if (start < 0 || days < 1 || restarts(leader.slice(start)) || restarts(rival.slice(start))) return null;
  const gainOf = (line: RaceLine): number => ((line[lastBucket] ?? 0) - (line[start] ?? 0)) / days;
  return { days, leader: gainOf(leader), rival: gainOf(rival) };
}

/**
 * Return who is ahead 30 days after the last moment, or the day on which the rival passes.
 *
 * There is no forecast from less than 14 days, across a restart, or where the two weeks lead in different directions.
 */
export function forecastOf(duel: Duel, paces: Paces | null): Forecast {
  const { times, leader, rival } = duel;
  if (!paces) return { kind: "none", reason: restarts(leader) || restarts(rival) ? "restarts" : "short" };
  if (paces.days < PACE_DAYS) return { kind: "none", reason: "short" };
  if (restarts(leader) || restarts(rival)) return { kind: "none", reason: "restarts" };
  const lastTime = times.at(-1) ?? 0;
  const leadDaysAgo = (days: number): number => {
    const bucket = times.indexOf(lastTime - days * DAY_MS);
    return (leader[bucket] ?? 0) - (rival[bucket] ?? 0);
  };
  const [startLead, middleLead, lastLead] = [leadDaysAgo(PACE_DAYS), leadDaysAgo(PACE_DAYS / 2), leadDaysAgo(0)];
  if ((middleLead - startLead) * (lastLead - middleLead) < 0) return { kind: "none", reason: "uneven" };
  const gainOfLead = paces.leader - paces.rival;
  const daysUntilPassed = gainOfLead < 0 ? lastLead / -gainOfLead : Infinity;
  if (daysUntilPassed <= FORECAST_DAYS) return { kind: "passed", time: lastTime + Math.ceil(daysUntilPassed) * DAY_MS };
  return { kind: "ahead", lead: lastLead + gainOfLead * FORECAST_DAYS, time: lastTime + FORECAST_DAYS * DAY_MS };
}

/** Return the position of the moment 14 days before the last, or of the first later one at which both are known; −1 for none. */
function startOfPace({ times, leader, rival }: Duel): number {
  const earliestTime = (times.at(-1) ?? 0) - PACE_DAYS * DAY_MS;
  return times.findIndex((time, bucket) => time >= earliestTime && (leader[bucket] ?? null) !== null && (rival[bucket] ?? null) !== null);
}

/** Return whether a counter started again within a line. */
function restarts(line: RaceLine): boolean {
  const values = line.filter((value) => value !== null);
  return values.some((value, index) => value < (values[index - 1] ?? 0) * RESTART_SHARE);
}
