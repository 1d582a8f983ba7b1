import type { components } from "../api/schema.gen.ts";
import { MEASURE_NAMES } from "../core/names.gen.ts";
import { OWN_FIELDS } from "../scope/propertyKey.ts";

type Schemas = components["schemas"];
export type Measure = Schemas["MetricConfig"]["measure"];

const WITHOUT_PROPERTY = new Set<Measure>(["count", "uniq_actors"]);
const ADDITIVE = new Set<Measure>(["count", "sum"]);

/** Return whether a word is a measure. */
export const isMeasure = (word: string): word is Measure => Object.hasOwn(MEASURE_NAMES, word);

/** Return whether a measure is one of a property. */
export const takesProperty = (measure: Measure): boolean => !WITHOUT_PROPERTY.has(measure);

/** Return whether a measure is one of the numbers of a property; "uniq" takes values of any type. */
export const takesNumbers = (measure: Measure): boolean => takesProperty(measure) && measure !== "uniq";

/** Return whether the numbers of all buckets or labels add up to the whole. */
export const addsUp = (measure: Measure): boolean => ADDITIVE.has(measure);

/** Return what a measure lacks, in words; "" if nothing. */
export const missingInWords = ({ measure, property }: { measure: Measure; property?: string | null }): string =>
  takesProperty(measure) && !property ? "Choose the property to measure." : "";

/** What is counted where groups are wanted and no group key is registered. */
export const WITHOUT_GROUPS = "actors (no group key)";

/** Return how a question begins: with an event, or with all events where none has a name yet. */
export const eventsFieldOf = (event: string): { event: string } | { events: "all" } => (event === "" ? { events: "all" } : { event });

/** Which events a question is about: one name, several, or all. */
export interface AskedEvents {
  event?: string | null;
  events?: string[] | "all" | null;
}

/** Return whether a question is about events of certain names, not about all. */
export const namesEvents = ({ event, events }: AskedEvents): boolean => Boolean(event) || Array.isArray(events);

/** Name the events of a question: "track.play", "a, b", "all events". */
export function eventsInWords({ event, events }: AskedEvents): string {
  if (event) return event;
  if (events === "all" || !events) return "all events";
  return events.join(", ");
}

/** Name a key: an event's own field or its group in words, a property as it is called. */
export function keyInWords(key: string): string {
  if (key === "_group") return "group";
  return OWN_FIELDS.find(({ value }) => value === key)?.detail ?? key.replace(/^prop:/, "");
}

export interface MeasuredEvents extends AskedEvents {
  measure: Measure;
  property?: string | null;
}

/** Name what is measured: "track.play", "unique actors of track.play", "sum of amount of track.play". */
export function measureInWords({ measure, property, ...askedEvents }: MeasuredEvents): string {
  if (measure === "count") return eventsInWords(askedEvents);
  const words = MEASURE_NAMES[measure].toLowerCase();
  const what = takesProperty(measure) ? `${words} of ${property ?? "a property"}` : words;
  return `${what} of ${eventsInWords(askedEvents)}`;
}

type Compare = Schemas["MetricConfig"]["compare"];

/** How much earlier another window is, in words. */
export const SHIFTS: Record<Schemas["Shift"]["shift"], string> = {
  "1d": "A day earlier",
  "7d": "A week earlier",
  "28d": "28 days earlier",
  "1mo": "A month earlier",
  "1y": "A year earlier",
};

/** Return the choice that a config stands for; `fallback` if it leaves it open. */
export function comparisonChoice(compare: Compare | undefined, fallback: "none" | "previous"): string {
  if (compare === undefined || compare === null) return fallback;
  if (compare === true || compare === "previous") return "previous";
  return compare === false ? "none" : compare.shift;
}

/** Return what a config holds for a choice. */
export function compareOfChoice(choice: string): NonNullable<Compare> {
  if (choice === "previous") return "previous";
  return isShift(choice) ? { shift: choice } : false;
}

/** Name the other window in a legend. */
export function comparedInWords(compare: Compare | undefined): string {
  const choice = comparisonChoice(compare, "previous");
  return isShift(choice) ? SHIFTS[choice] : "Previous period";
}

const isShift = (choice: string): choice is Schemas["Shift"]["shift"] => Object.hasOwn(SHIFTS, choice);

interface Labelled { label: string | null; kind?: "none" | "other" }

/** Name a row or a series: its label, or what stands for the rest or for a label without letters. */
export function labelInWords(entry: Labelled): string {
  const value = labelValue(entry);
  return value.trim() === "" ? "(empty)" : value;
}

/** Return the value that decides the color of a row or a series. */
export const labelValue = ({ label, kind = "none" }: Labelled): string => label ?? `(${kind})`;

/** What a table shows unless somebody chooses its columns. */
export const DEFAULT_COLUMNS = ["time", "event", "actor", "source"];
