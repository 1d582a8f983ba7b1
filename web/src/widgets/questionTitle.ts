import { filterInWords } from "../scope/filters.ts";
import type { Configs, Kind } from "./definition.ts";
import { type AskedEvents, type MeasuredEvents, eventsInWords, keyInWords, measureInWords, namesEvents } from "./words.ts";

/** As long as a title may be. */
export const MAX_TITLE_LENGTH = 120;

/**
 * Return the title of a question, for a widget whose author wrote none: "Unique actors of signup by plan, where source is app".
 *
 * "" where the question has nothing short to say: notes, external values, and strips of several numbers.
 */
export function questionTitle(kind: Kind, config: object): string {
  const letters = Array.from(sentenceOf(kind, config));
  return letters.length > MAX_TITLE_LENGTH ? `${letters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…` : letters.join("");
}

type Writer<K extends Kind> = (config: Configs[K]) => string;

const WRITERS: { [K in Kind]: Writer<K> } = {
  metric: (config) => measureTitle(config) + byWords(config.breakdown) + whereWords(config.filters),
  formula: (config) => formulaInWords(config) + byWords(config.breakdown),
  kpi: ({ items: [item, ...otherItems] }) => (item && otherItems.length === 0 ? (item.label ?? measureTitle(item) + whereWords(item.filters)) : ""),
  funnel: ({ steps }) => steps.map(eventsInWords).join(" → "),
  retention: ({ cohortEvent, returnEvent, cohortFilters }) =>
    cohortEvent === "" ? "" : `Retention of ${cohortEvent}${returnWords(cohortEvent, returnEvent)}${whereWords(cohortFilters)}`,
  histogram: (config) => (config.property === "" ? "" : `${keyInWords(config.property)} of ${eventsInWords(config)}${whereWords(config.filters)}`),
  heatmap: (config) => `${eventsTitle(config)} by hour of the week${whereWords(config.filters)}`,
  table: (config) => `Newest ${namesEvents(config) ? eventsInWords(config) : "events"}${whereWords(config.filters)}`,
  note: () => "",
  external: () => "",
};

/** A kind that is newer than the app has no words. */
const sentenceOf = (kind: Kind, config: object): string => (WRITERS[kind] as Writer<Kind> | undefined)?.(config) ?? "";

/** Words that begin a title have a capital letter; the names of events stay as they were sent. */
const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const eventsTitle = (asked: AskedEvents): string => (namesEvents(asked) ? eventsInWords(asked) : capitalized(eventsInWords(asked)));

const measureTitle = (measured: MeasuredEvents): string =>
  measured.measure === "count" ? eventsTitle(measured) : capitalized(measureInWords(measured));

/** Write an expression with its measures in place of the letters. */
function formulaInWords(config: Configs["formula"]): string {
  return config.expression.trim().replace(/[a-d]/g, (letter) => {
    const part = config[letter as "a" | "b" | "c" | "d"];
    const words = part ? measureInWords(part) : letter;
    return words.includes(" ") ? `(${words})` : words;
  });
}

const byWords = (breakdown: string | null | undefined): string => (breakdown ? ` by ${keyInWords(breakdown)}` : "");

const whereWords = (filters: Configs["metric"]["filters"]): string => (filters?.length ? `, where ${filters.map(filterInWords).join(" and ")}` : "");

const returnWords = (cohortEvent: string, returnEvent: string | null | undefined): string =>
  returnEvent && returnEvent !== cohortEvent ? `, returning with ${returnEvent}` : "";
