import { type Condition, type Filter, isAlternatives } from "../scope/filters.ts";
import { type AskedEvents, type MeasuredEvents, takesNumbers, takesProperty } from "../widgets/words.ts";
import { ALL_EVENTS, COLUMNS, FIELDS, GROUP, MEASURES, OPERATORS, writeName } from "./language.ts";
import type { Part } from "./readParts.ts";
import { quoted } from "./tokens.ts";
import { writeValue } from "./valueChoices.ts";
import type { NameList, Vocabulary } from "./vocabulary.ts";

/** Join the words of a line; empty ones leave no gap. */
export const joinWords = (...words: readonly (string | number | false | null | undefined)[]): string => words.filter(Boolean).join(" ");

/** Writes the parts of a line. A name that was never sent is in quotes, so that no reader takes it for a slip. */
export class PartWriter {
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Write the name of an event. */
  event(name: string): string {
    return writeNameOf(name, this.#vocabulary.events);
  }

  /** Write events: "track.play", "signup or login", "all events". */
  events({ event, events }: AskedEvents): string {
    if (event) return this.event(event);
    return Array.isArray(events) ? events.map((name) => this.event(name)).join(" or ") : ALL_EVENTS.write("all");
  }

  /** Write a key of a filter or a breakdown: a property, a field of the event, or its group. */
  key(key: string): string {
    return FIELDS.write(key) || writeNameOf(key, this.#vocabulary.keys);
  }

  /** Write a key of a breakdown, which may be the group of the event. */
  breakdown(key: string): string {
    return GROUP.write(key) || FIELDS.write(key) || writeNameOf(key, this.#vocabulary.breakdowns);
  }

  /** Write a property with numbers. */
  number(property: string): string {
    return writeNameOf(property, this.#vocabulary.numbers);
  }

  /** Write a column of a table. */
  column(column: string): string {
    return COLUMNS.write(column) || writeNameOf(column.replace(/^prop:/, ""), this.#vocabulary.columns);
  }

  /** Write what is measured, with filters of its own. */
  part({ filters, ...measurement }: Part): string {
    return this.#measure(measurement) + this.partFilters(filters);
  }

  /** Write filters in parentheses, behind what they belong to; "" if there are none. */
  partFilters(filters: readonly Filter[] | undefined): string {
    const words = this.where(filters);
    return words && ` (${words})`;
  }

  /** Write filters as a clause; "" if there are none. */
  where(filters: readonly Filter[] | undefined): string {
    return filters && filters.length > 0 ? `where ${filters.map((filter) => this.#filter(filter)).join(" and ")}` : "";
  }

  #measure({ measure, property, ...askedEvents }: MeasuredEvents): string {
    const eventWords = this.events(askedEvents);
    if (measure === "count") return eventWords;
    const measureWords = MEASURES.write(measure);
    if (!takesProperty(measure)) return `${measureWords} of ${eventWords}`;
    const propertyWords = takesNumbers(measure) ? this.number(property ?? "") : this.key(property ?? "");
    return `${measureWords} of ${propertyWords} of ${eventWords}`;
  }

  #filter(filter: Filter): string {
    return isAlternatives(filter) ? `(${filter.any.map((condition) => this.#condition(condition)).join(" or ")})` : this.#condition(filter);
  }

  #condition({ key, op, value }: Condition): string {
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
    return joinWords(this.key(key), OPERATORS.write(op), values.map((part) => writeValue(this.#vocabulary, { key, op }, part)).join(", "));
  }
}

const writeNameOf = (name: string, { isSeen }: NameList): string => (isSeen(name) ? writeName(name) : quoted(name));
