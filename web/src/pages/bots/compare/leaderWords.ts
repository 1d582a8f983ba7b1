import type { Metric } from "../../../core/bots.ts";
import { formatExact } from "../../../core/numbers.ts";
import { shortDate } from "../../../core/time.ts";
import { type Forecast, type Paces, forecastOf, pacesOf } from "./pace.ts";
import { type RaceLine, crossingsOf, gapOf } from "./race.ts";

const NOUNS: Record<Metric, string> = { monthly_votes: "votes", total_votes: "votes", server_count: "servers", review_count: "reviews" };
/** From here on, a pace has no decimals. */
const MANY = 10;
/** A forecast has so many digits: more would claim to be exact. */
const FORECAST_DIGITS = 2;

export interface Contest {
  names: readonly string[];
  /** In milliseconds since 1970. */
  times: readonly number[];
  /** The values of each bot. */
  lines: readonly RaceLine[];
  metric: Metric;
  /** Which bots count votes that start again each month. */
  restarting: readonly boolean[];
}

export interface LeaderWords {
  title: string;
  detail: string;
}

/** Say who leads, whom it passed last, what both gain a day and where that leads; null with fewer than two values. */
export function leaderWords({ names, times, lines, metric, restarting }: Contest): LeaderWords | null {
  const { leader } = gapOf(lines);
  if (leader === null) return null;
  const crossing = crossingsOf(lines).findLast(({ passer }) => passer === leader);
  const rival = crossing?.passed ?? runnerUpOf(lines, leader);
  const [leadingLine, rivalLine] = [lines[leader], rival === null ? undefined : lines[rival]];
  if (rival === null || !leadingLine || !rivalLine) return null;
  const [leaderName, rivalName] = [names[leader] ?? "", names[rival] ?? ""];
  const duel = { times, leader: leadingLine, rival: rivalLine };
  const paces = pacesOf(duel);
  const mayRestart = restarting[leader] === true || restarting[rival] === true;
  const forecast: Forecast = mayRestart ? { kind: "none", reason: "restarts" } : forecastOf(duel, paces);
  const lead = (leadingLine.at(-1) ?? 0) - (rivalLine.at(-1) ?? 0);
  const leadWords = `${formatExact(lead)} ${NOUNS[metric]}`;
  const title = crossing
    ? `${leaderName} passed ${rivalName} on ${shortDate(times[crossing.bucket] ?? 0, "UTC")}`
    : lead === 0
      ? `${leaderName} and ${rivalName} are level`
      : `${leaderName} leads ${rivalName} by ${leadWords}`;
  const sentences = [
    crossing && lead > 0 ? `It is ${leadWords} ahead.` : "",
    paces ? paceInWords(paces, rivalName, metric) : "",
    forecastInWords(forecast, rivalName),
  ];
  return { title, detail: sentences.filter((sentence) => sentence !== "").join(" ") };
}

/** Return which line has the highest last value but for the leader's; null if no other has one. */
function runnerUpOf(lines: readonly RaceLine[], leader: number): number | null {
  const lastValues = lines.map((line, index) => (index === leader ? null : (line.at(-1) ?? null)));
  const index = lastValues.indexOf(Math.max(...lastValues.filter((value) => value !== null)));
  return index < 0 ? null : index;
}

function paceInWords({ days, leader, rival }: Paces, rivalName: string, metric: Metric): string {
  const dayCount = Math.round(days);
  const span = dayCount === 1 ? "In the last day" : `In the last ${dayCount} days`;
  const [gain, rivalGain] = [amountOf(leader), amountOf(rival)];
  // The votes of a day are another number: they also replace those that are a month old.
  if (metric === "monthly_votes") {
    const [verb, rivalVerb] = [leader, rival].map((pace) => (pace < 0 ? "fell" : "rose"));
    const rivalWords = verb === rivalVerb ? `by ${rivalGain}` : `${rivalVerb} by ${rivalGain}`;
    return `${span} its monthly count ${verb} by ${gain} a day, ${rivalName}'s ${rivalWords}.`;
  }
  const verbOf = (pace: number): string => (pace < 0 ? "lost" : "gained");
  return `${span} it ${verbOf(leader)} ${gain} a day, ${rivalName} ${verbOf(rival)} ${rivalGain}.`;
}

const amountOf = (pace: number): string => formatExact(Math.abs(pace), Math.abs(pace) >= MANY || Number.isInteger(pace) ? 0 : 1);

const NO_FORECAST: Record<"short" | "restarts" | "uneven", string> = {
  short: "A forecast needs 14 days of data.",
  restarts: "The count starts again each month, so there is no forecast.",
  uneven: "The pace is too uneven for a forecast.",
};

function forecastInWords(forecast: Forecast, rivalName: string): string {
  if (forecast.kind === "none") return NO_FORECAST[forecast.reason];
  const day = shortDate(forecast.time, "UTC");
  if (forecast.kind === "passed") return `At this pace ${rivalName} passes it on ${day}.`;
  return `At this pace it is about ${formatExact(Number(forecast.lead.toPrecision(FORECAST_DIGITS)))} ahead on ${day}.`;
}
