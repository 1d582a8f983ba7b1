import { formatExact } from "../core/numbers.ts";
import { OWN_FIELDS, propertyKey } from "../scope/propertyKey.ts";
import { hasNumbers, eventJudge, keyJudge, numberJudge } from "../scope/seenNames.ts";
import type { Judge } from "../ui/Combobox/typedText.ts";
import type { Names } from "./definition.ts";
import { type Measure, takesNumbers, takesProperty } from "./words.ts";

/** A choice of a picker, with a muted word beside it. */
export interface NameChoice {
  value: string;
  label?: string;
  detail?: string;
}

/** What a picker offers, and what it makes of other names. */
export interface Offer {
  options: NameChoice[];
  textJudge: Judge;
}

type Known = Pick<Names, "properties">;

/** Offer the event names, with how often each came. */
export const eventOffer = (names: Names): Offer => ({
  options: names.events.map(({ name, count }) => ({ value: name, detail: formatExact(count) })),
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

/** Return the most frequent event that is not asked about yet; the most frequent one where there is no other. */
export function anotherEvent({ events }: Pick<Names, "events">, selections: readonly { event?: string | null }[]): string {
  const otherEvent = events.find(({ name }) => selections.every(({ event }) => event !== name));
  return (otherEvent ?? events[0])?.name ?? "";
}

/** Return the columns that a table can have. */
export function columnsOf({ properties }: Known): NameChoice[] {
  return [...["time", "event", "actor", "source"].map((value) => ({ value })), ...properties.map(({ key, types }) => ({ value: `prop:${key}`, label: key, detail: types.join(", ") }))];
}

function choiceOf({ key, types }: Names["properties"][number]): NameChoice {
  return { value: propertyKey(key), detail: types.join(", ") };
}
