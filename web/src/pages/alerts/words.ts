import type { ActivityEntry, Alert, Condition, Measure } from "../../api/alerts.ts";
import { formatDurationMs, minutesBriefly, minutesInWords } from "../../core/durations.ts";
import { formatExact } from "../../core/numbers.ts";
import { type Filter, filterInWords } from "../../scope/filters.ts";
import { type MeasuredEvents, eventsInWords } from "../../widgets/words.ts";

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

const HOUR_MINUTES = 60;
const PERCENT = "\u00a0%";

/** Measures as a list names them, before the property or the event. */
const MEASURE_PREFIXES: Record<Exclude<Measure, "count">, string> = {
  uniq_actors: "actors of",
  uniq: "unique",
  sum: "sum of",
  avg: "average",
  median: "median",
  p95: "p95 of",
  p99: "p99 of",
  min: "minimum",
  max: "maximum",
};

const strongPiece = (text: string): Piece => ({ text, look: "strong" });
const codePiece = (text: string): Piece => ({ text, look: "code" });

/** Join the pieces of a sentence. */
export const joinPieces = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");

/** Write a rule as a list shows it: "track.error where shard is 14 above 25 in 15 min". */
export function ruleInWords(rule: Rule, segmentName: string | null): Piece[] {
  return [...subjectPieces(rule), ...filterPieces(rule.filters ?? [], segmentName), ...conditionPieces(rule)];
}

/** Name what a rule looks at: "track.error", "p95 of latency_ms of track.play", "refund / order * 100". */
export function subjectPieces({ formula, event, measure, property }: Rule): Piece[] {
  if (!formula) return measurePieces({ event, measure: measure ?? "count", property });
  const partByLetter = new Map(Object.entries(formula));
  return formula.expression.split(/([a-d])/).flatMap((text): Piece[] => {
    const part = partByLetter.get(text);
    if (text === "") return [];
    return part && typeof part === "object" ? measurePieces(part) : [{ text }];
  });
}

function measurePieces({ measure, property, ...rest }: MeasuredEvents): Piece[] {
  const eventsPiece = strongPiece(eventsInWords(rest));
  if (measure === "count") return [eventsPiece];
  const measurePiece = { text: `${MEASURE_PREFIXES[measure]} ` };
  return measure === "uniq_actors"
    ? [measurePiece, eventsPiece]
    : [measurePiece, strongPiece(property ?? "a property"), { text: " of " }, eventsPiece];
}

function filterPieces(filters: readonly Filter[], segmentName: string | null): Piece[] {
  const whereText = filters.length > 0 ? ` where ${filters.map(filterInWords).join(" and ")}` : "";
  const withinText = segmentName === null ? "" : ` within ${segmentName}`;
  return whereText || withinText ? [{ text: whereText + withinText }] : [];
}

function conditionPieces({ condition, threshold, windowMinutes }: Rule): Piece[] {
  const limitPiece = strongPiece(formatExact(threshold));
  const percentPiece = strongPiece(formatExact(threshold) + PERCENT);
  const windowPiece = { text: ` in ${minutesBriefly(windowMinutes)}` };
  const comparisonPiece = { text: ` vs. the previous ${windowNoun(windowMinutes)}` };
  switch (condition) {
    case "above":
    case "below":
      return [{ text: ` ${condition} ` }, limitPiece, windowPiece];
    case "rises":
      return [{ text: " up " }, percentPiece, comparisonPiece];
    case "drops":
      return [{ text: " down " }, percentPiece, comparisonPiece];
    case "nodata":
      return [{ text: " has no data" }, windowPiece];
    case "anomaly":
      return [{ text: " " }, limitPiece, { text: ` deviations from its usual ${windowNoun(windowMinutes)}` }];
  }
}

/** Name a window as a thing: "hour", "day", "15 min". */
const windowNoun = (minutes: number): string =>
  minutes === HOUR_MINUTES ? "hour" : minutes === 24 * HOUR_MINUTES ? "day" : minutesBriefly(minutes);

/** Say that an incident is open without a value, and until when. */
export function gapInWords(alert: Rule, lastedMs: number): Piece[] {
  const subject = codePiece(joinPieces(subjectPieces(alert)));
  return [subject, { text: ` has had no value for ${formatDurationMs(lastedMs)}. The incident stays open until a value arrives or you resolve it.` }];
}

/** Say that an alert is not evaluated at present, and why. */
export const delayInWords = (lastedMs: number): string =>
  `Not evaluated for ${formatDurationMs(lastedMs)}: the newest events are still on their way to the event store. The status stays as it is until they arrive.`;

/** Say why an alert fires now: "61 track.error in 15 minutes. The limit is 25." */
export function firingInWords(alert: Rule & Pick<Alert, "lastValue">): Piece[] {
  const { condition, lastValue, windowMinutes, formula, event } = alert;
  const windowText = minutesInWords(windowMinutes);
  if (condition === "nodata") {
    return formula || !event ? [{ text: `Nothing arrived in the last ${windowText}.` }] : [{ text: "No " }, codePiece(event), { text: ` in the last ${windowText}.` }];
  }
  return [...valueInSentence(alert, lastValue, windowText), { text: limitInWords(alert, windowText) }];
}

function valueInSentence(alert: Rule, value: number | null, windowText: string): Piece[] {
  if (value === null) return [];
  const isCount = !alert.formula && (alert.measure ?? "count") === "count" && alert.event;
  if (isCount) return [{ text: `${formatExact(value)} ` }, codePiece(alert.event ?? ""), { text: ` in ${windowText}. ` }];
  const subject = joinPieces(subjectPieces(alert));
  return [codePiece(subject), { text: ` is ${formatExact(value)} over ${windowText}. ` }];
}

function limitInWords({ condition, threshold }: Rule, windowText: string): string {
  const limitText = formatExact(threshold);
  switch (condition) {
    case "above":
      return `The limit is ${limitText}.`;
    case "below":
      return `The minimum is ${limitText}.`;
    case "rises":
      return `That is more than ${limitText}${PERCENT} above the previous ${windowText}.`;
    case "drops":
      return `That is more than ${limitText}${PERCENT} below the previous ${windowText}.`;
    default:
      return `That is more than ${limitText} standard deviations from the usual value at this time.`;
  }
}

/** Say what an alert did: "fired at 44, limit 25", "no value, still open", "resolved at 19 after 22 min". */
export function activityInWords({ type, value, threshold, condition }: ActivityEntry, lastedMs: number | null): string {
  const valueText = value === null || condition === "nodata" ? "" : ` at ${formatExact(value)}`;
  if (type === "nodata") return "no value, still open";
  if (type === "resolved") return `resolved${valueText}${lastedMs === null ? "" : ` after ${formatDurationMs(lastedMs)}`}`;
  return `fired${valueText}, ${reasonInWords(condition, formatExact(threshold))}`;
}

function reasonInWords(condition: Condition, limitText: string): string {
  const reasonByCondition: Record<Condition, string> = {
    above: `limit ${limitText}`,
    below: `minimum ${limitText}`,
    rises: `up more than ${limitText}${PERCENT}`,
    drops: `down more than ${limitText}${PERCENT}`,
    nodata: "nothing arrived",
    anomaly: "unusual",
  };
  return reasonByCondition[condition];
}

/** The status of an alert as people see it: `fresh` has not been evaluated, and `unseen` is well, but never saw an event. */
export type ShownStatus = Alert["status"] | "fresh" | "unseen";

/** Return the status of an alert as people see it: that nothing fires tells nothing while nothing has come. */
export function visibleStatus({ status, lastEvaluatedAt, lastDataAt }: Pick<Alert, "status" | "lastEvaluatedAt" | "lastDataAt">): ShownStatus {
  if (status !== "ok" || lastDataAt !== null) return status;
  return lastEvaluatedAt === null ? "fresh" : "unseen";
}

/** Statuses in words, as a list shows them beside their dot. */
export const STATUS_LABELS: Record<ShownStatus, string> = {
  firing: "Firing",
  ok: "OK",
  nodata: "No data",
  paused: "Paused",
  fresh: "New",
  unseen: "No data yet",
};
