import { exact } from "../core/numbers.ts";
import type { Names } from "./definition.ts";

/** A choice of a picker, with a muted word beside it. */
export interface NameChoice {
  value: string;
  label?: string;
  detail?: string;
}

const OWN: NameChoice[] = [
  { value: "_actor", detail: "actor" },
  { value: "_actorLabel", detail: "actor's name" },
  { value: "name", detail: "event" },
  { value: "_source", detail: "source" },
];

/** Return the event names, with how often each came. */
export function eventsOf({ events }: Names): NameChoice[] {
  return events.map(({ name, count }) => ({ value: name, detail: exact(count) }));
}

/** Return the property keys, with their types. */
export function propertiesOf({ properties }: Names): NameChoice[] {
  return properties.map(({ key, types }) => ({ value: OWN.some(({ value }) => value === key) ? `prop:${key}` : key, detail: types.join(", ") }));
}

/** Return all that a filter can ask for: property keys, and the event's own fields. */
export const keysOf = (names: Names): NameChoice[] => [...propertiesOf(names), ...OWN];

/** Return all that a measure can be broken down by; groups only where a group key is registered. */
export function breakdownsOf(names: Names): NameChoice[] {
  const group = names.groupKeys.find(({ isDefault }) => isDefault);
  return [...(group ? [{ value: "_group", detail: group.label ?? group.propKey }] : []), ...keysOf(names)];
}

/** Return values that a key is known to have. */
export function valuesOf(names: Names, key: string): NameChoice[] {
  if (key === "name") return eventsOf(names);
  const found = names.properties.find((property) => property.key === key.replace(/^prop:/, ""));
  return (found?.examples ?? []).map((example) => ({ value: typeof example === "string" ? example : JSON.stringify(example) }));
}

/** Return the columns that a table can have. */
export function columnsOf({ properties }: Names): NameChoice[] {
  return [...["time", "event", "actor", "source"].map((value) => ({ value })), ...properties.map(({ key, types }) => ({ value: `prop:${key}`, label: key, detail: types.join(", ") }))];
}
