import type { Activity, Alert, Condition, Measure } from "../../api/alerts.ts";
import { duration, minutesBriefly, minutesInWords } from "../../core/durations.ts";
import { formatExact } from "../../core/numbers.ts";
import { type Filter, filterInWords } from "../../scope/filters.ts";
import { eventsInWords } from "../../widgets/words.ts";

/** A piece of a sentence; what carries the meaning is strong, and names from the data may stand as code. */
export interface Piece {
  text: string;
  look?: "strong" | "code";
}

/** What an alert watches, as far as words need it. */
export type Rule = Pick<
  Alert,
  "event" | "measure" | "property" | "filters" | "formula" | "segmentId" | "condition" | "threshold" | "windowMinutes"
>;

const HOUR = 60;
const PERCENT = "\u00a0%";

/** Measures as a list names them, before the property or the event. */
const SHORT: Record<Exclude<Measure, "count">, string> = {
  uniq_actors: "actors of",
  uniq: "distinct",
  sum: "sum of",
  avg: "average",
  median: "median",
  p95: "p95 of",
  p99: "p99 of",
  min: "smallest",
  max: "largest",
};

const strongPiece = (text: string): Piece => ({ text, look: "strong" });
const code = (text: string): Piece => ({ text, look: "code" });

/** Join the pieces of a sentence. */
export const joinPieces = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");

/** Write a rule as a list shows it: "track.error where shard is 14 above 25 in 15 min". */
export function ruleInWords(rule: Rule, segment: string | null): Piece[] {
  return [...subjectOf(rule), ...filterPieces(rule.filters ?? [], segment), ...conditionOf(rule)];
}

/** Name what a rule looks at: "track.error", "p95 of latency_ms of track.play", "refund / order * 100". */
export function subjectOf({ formula, event, measure, property }: Rule): Piece[] {
  if (!formula) return measurePieces({ event, measure: measure ?? "count", property });
  const parts = new Map(Object.entries(formula));
  return formula.expression.split(/([a-d])/).flatMap((text): Piece[] => {
    const part = parts.get(text);
    if (text === "") return [];
    return part && typeof part === "object" ? measurePieces(part) : [{ text }];
  });
}

interface Measured {
  event?: string | null;
  events?: string[] | "all" | null;
  measure: Measure;
  property?: string | null;
}

function measurePieces({ measure, property, ...rest }: Measured): Piece[] {
  const events = strongPiece(eventsInWords(rest));
  if (measure === "count") return [events];
  const words = { text: `${SHORT[measure]} ` };
  return measure === "uniq_actors" ? [words, events] : [words, strongPiece(property ?? "a property"), { text: " of " }, events];
}

function filterPieces(filters: readonly Filter[], segment: string | null): Piece[] {
  const where = filters.length > 0 ? ` where ${filters.map(filterInWords).join(" and ")}` : "";
  const within = segment === null ? "" : ` within ${segment}`;
  return where || within ? [{ text: where + within }] : [];
}

function conditionOf({ condition, threshold, windowMinutes }: Rule): Piece[] {
  const limit = strongPiece(formatExact(threshold));
  const percent = strongPiece(formatExact(threshold) + PERCENT);
  const window = { text: ` in ${minutesBriefly(windowMinutes)}` };
  const before = { text: ` on the ${windowNoun(windowMinutes)} before` };
  switch (condition) {
    case "above":
    case "below":
      return [{ text: ` ${condition} ` }, limit, window];
    case "rises":
      return [{ text: " up " }, percent, before];
    case "drops":
      return [{ text: " down " }, percent, before];
    case "nodata":
      return [{ text: ": none" }, window];
    case "anomaly":
      return [{ text: ` away from its usual ${windowNoun(windowMinutes)} by ` }, limit, { text: " deviations" }];
  }
}

/** Name a window as a thing: "hour", "day", "15 min". */
const windowNoun = (minutes: number): string =>
  minutes === HOUR ? "hour" : minutes === 24 * HOUR ? "day" : minutesBriefly(minutes);

/** Say that an incident is open without a value, and until when. */
export function gapInWords(alert: Rule, lastedMs: number): Piece[] {
  const subject = code(joinPieces(subjectOf(alert)));
  return [subject, { text: ` has had no value for ${duration(lastedMs)}. The incident stays open until there is one, or until it is resolved.` }];
}

/** Say why an alert fires now: "61 track.error in 15 minutes. The limit is 25." */
export function firingInWords(alert: Rule & Pick<Alert, "lastValue">): Piece[] {
  const { condition, lastValue, windowMinutes, formula, event } = alert;
  const window = minutesInWords(windowMinutes);
  if (condition === "nodata") {
    return formula || !event ? [{ text: `Nothing arrived in the last ${window}.` }] : [{ text: "No " }, code(event), { text: ` in the last ${window}.` }];
  }
  return [...valueInSentence(alert, lastValue, window), { text: limitInWords(alert, window) }];
}

function valueInSentence(alert: Rule, value: number | null, window: string): Piece[] {
  if (value === null) return [];
  const isCount = !alert.formula && (alert.measure ?? "count") === "count" && alert.event;
  if (isCount) return [{ text: `${formatExact(value)} ` }, code(alert.event ?? ""), { text: ` in ${window}. ` }];
  const subject = joinPieces(subjectOf(alert));
  return [code(subject), { text: ` is ${formatExact(value)} over ${window}. ` }];
}

function limitInWords({ condition, threshold }: Rule, window: string): string {
  const limit = formatExact(threshold);
  switch (condition) {
    case "above":
      return `The limit is ${limit}.`;
    case "below":
      return `The least is ${limit}.`;
    case "rises":
      return `That is more than ${limit}${PERCENT} above the ${window} before.`;
    case "drops":
      return `That is more than ${limit}${PERCENT} below the ${window} before.`;
    default:
      return `That is more than ${limit} standard deviations from what is usual at this time.`;
  }
}

/** Say what an alert did: "fired at 44, limit 25", "no value, still open", "resolved at 19 after 22 min". */
export function activityInWords({ type, value, threshold, condition }: Activity, lastedMs: number | null): string {
  const at = value === null || condition === "nodata" ? "" : ` at ${formatExact(value)}`;
  if (type === "nodata") return "no value, still open";
  if (type === "resolved") return `resolved${at}${lastedMs === null ? "" : ` after ${duration(lastedMs)}`}`;
  return `fired${at}, ${reasonInWords(condition, formatExact(threshold))}`;
}

function reasonInWords(condition: Condition, limit: string): string {
  const words: Record<Condition, string> = {
    above: `limit ${limit}`,
    below: `least ${limit}`,
    rises: `up more than ${limit}${PERCENT}`,
    drops: `down more than ${limit}${PERCENT}`,
    nodata: "nothing arrived",
    anomaly: "unlike other days",
  };
  return words[condition];
}

/** The status of an alert as people see it: `fresh` has not been evaluated, and `unseen` is well, but never saw an event. */
export type ShownStatus = Alert["status"] | "fresh" | "unseen";

/** Return the status of an alert as people see it: that nothing fires tells nothing while nothing has come. */
export function visibleStatus({ status, lastEvaluatedAt, lastDataAt }: Pick<Alert, "status" | "lastEvaluatedAt" | "lastDataAt">): ShownStatus {
  if (status !== "ok" || lastDataAt !== null) return status;
  return lastEvaluatedAt === null ? "fresh" : "unseen";
}

/** Statuses in words, as a list shows them beside their dot. */
export const STATUS: Record<ShownStatus, string> = {
  firing: "Firing",
  ok: "OK",
  nodata: "No data",
  paused: "Paused",
  fresh: "New",
  unseen: "No data yet",
};
