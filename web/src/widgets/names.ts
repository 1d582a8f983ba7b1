import { formatExact } from "../core/numbers.ts";
import { OWN_FIELDS, propertyKey } from "../scope/propertyKey.ts";
import { hasNumbers, eventJudge, keyJudge, numberJudge } from "../scope/seenNames.ts";
import type { ComboOption } from "../ui/Combobox/matches.ts";
import type { Judge } from "../ui/Combobox/typedText.ts";
import type { Names } from "./definition.ts";
import { type AskedEvents, type Measure, type MeasuredEvents, takesNumbers, takesProperty } from "./words.ts";

/** A choice of a picker, with muted words beside it. */
export type NameChoice = ComboOption;

/** What a picker offers, and what it makes of other names. */
export interface Offer {
  options: NameChoice[];
  textJudge: Judge;
}

type Known = Pick<Names, "properties">;

/** Offer the event names, with how often each came. */
export const eventOffer = (names: Names): Offer => ({
  options: names.events.map(({ name, count }) => ({ value: name, detail: formatExact(count), picture: names.eventPictures?.get(name) })),
  textJudge: eventJudge(names.areKnown ? names.events : undefined),
});

/** Offer all that a filter can ask for: property keys, and the event's own fields. */
export const keyOffer = (names: Names): Offer => ({
  options: [...names.properties.map(choiceOf), ...OWN_FIELDS],
  textJudge: keyJudge(names.areKnown ? names.properties : undefined),
});

/** Offer all that a measure can be broken down by; groups only where a group key is registered. */
export function breakdownOffer(names: Names): Offer {
  const group = names.groupKeys.find(({ isDefault }) => isDefault);
  const { options, textJudge } = keyOffer(names);
  return { options: [...(group ? [{ value: "_group", detail: group.label ?? group.propKey }] : []), ...options], textJudge };
}

/** Offer the properties that have numbers, the most frequent first. */
export const numberOffer = (names: Names): Offer => ({
  options: numberChoices(names),
  textJudge: numberJudge(names.areKnown ? names.properties : undefined),
});

/** Return the properties that have numbers. */
export const numberChoices = ({ properties }: Known): NameChoice[] => properties.filter(hasNumbers).map(choiceOf);

/** Offer what a measure can be one of. */
export const measuredOffer = (measure: Measure, names: Names): Offer => (takesNumbers(measure) ? numberOffer(names) : keyOffer(names));

/** Return the property with which a measure begins: the one before if it fits, else the first that does. */
export function propertyFor(measure: Measure, currentProperty: string, names: Names): string {
  if (!takesProperty(measure)) return "";
  const { options, textJudge } = measuredOffer(measure, names);
  const isFitting =
    options.some(({ value }) => value === currentProperty) || (currentProperty !== "" && textJudge(currentProperty) === "taken");
  return isFitting ? currentProperty : (options[0]?.value ?? "");
}

/** What a picker of events chooses: one event, several, or all. */
export type EventSelection = Required<AskedEvents>;

export type Measurement = EventSelection & Required<Pick<MeasuredEvents, "measure" | "property">>;

/** How a picker of events calls all of them. */
export const ALL_EVENTS = "All events";

const EVERY_EVENT: EventSelection = { event: null, events: "all" };

/** Return what the choice of a name in a picker stands for. */
export const selectionOfName = (name: string): EventSelection => (name === ALL_EVENTS || name === "" ? EVERY_EVENT : { event: name, events: null });

/** Return what names that are separated by commas stand for. */
export function selectionOfText(text: string): EventSelection {
  const names = text.split(",").map((name) => name.trimStart());
  return names.length === 1 ? selectionOfName(text.trimStart()) : { event: null, events: names };
}

/** Return a measurement with another measure; its property stays if it fits. */
export function withMeasure({ event = null, events = null, property = null }: MeasuredEvents, measure: Measure, names: Names): Measurement {
  return { event, events, measure, property: takesProperty(measure) ? propertyFor(measure, property ?? "", names) : null };
}

/** Return the most frequent event that is not asked about yet; the most frequent one where there is no other. */
export function anotherEvent({ events }: Pick<Names, "events">, selections: readonly { event?: string | null }[]): string {
  const otherEvent = events.find(({ name }) => selections.every(({ event }) => event !== name));
  return (otherEvent ?? events[0])?.name ?? "";
}

/** Return the columns that a table can have. */
export function columnsOf({ properties }: Known): NameChoice[] {
  return [...["time", "event", "actor", "source"].map((value) => ({ value })), ...properties.map(({ key, types }) => ({ value: `prop:${key}`, label: key, detail: types.join(", ") }))];
}

const SHOWN_EXAMPLES = 2;

/** Return a property as a choice, with its types and what it was: "string · plus, free". */
function choiceOf({ key, types, examples }: Names["properties"][number]): NameChoice {
  const exampleTexts = examples.slice(0, SHOWN_EXAMPLES).map(exampleText);
  return { value: propertyKey(key), detail: [types.join(", "), exampleTexts.join(", ")].filter(Boolean).join(" · ") };
}

const exampleText = (example: unknown): string => (typeof example === "string" ? example : JSON.stringify(example));
