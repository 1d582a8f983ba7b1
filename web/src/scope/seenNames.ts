import type { Judge, Verdict } from "../ui/Combobox/typedText.ts";
import { OWN_KEYS, propertyKey } from "./propertyKey.ts";

interface Property {
  key: string;
  types: readonly string[];
}

/** As many names of events, and keys of properties, as a schema has: with so many, there may be others. */
const MAX_EVENTS = 2000;
const MAX_KEYS = 5000;

/** Ask about the name of an event that never came. */
export function eventJudge(events: readonly { name: string }[] | undefined): Judge {
  return (text) => verdictOf(text, events === undefined || events.length >= MAX_EVENTS || events.some(({ name }) => name === text));
}

/** Ask about a key that no event has: neither one of a property nor a field of its own. */
export function keyJudge(properties: readonly Property[] | undefined): Judge {
  return (text) => verdictOf(text, isSeen(text, properties) || OWN_KEYS.has(text));
}

/** Ask about a property that never came, or never with a number. */
export function numberJudge(properties: readonly Property[] | undefined): Judge {
  return (text) => {
    const property = properties?.find(({ key }) => namesProperty(text, key));
    if (property && !hasNumbers(property)) return { question: `“${text}” has no numbers. Use it anyway?` };
    return verdictOf(text, isSeen(text, properties));
  };
}

/** Return whether a property came with numbers. */
export const hasNumbers = ({ types }: Pick<Property, "types">): boolean => types.includes("number");

/** Return whether a text means a property, as it is called or as a filter finds it. */
const namesProperty = (text: string, key: string): boolean => text === propertyKey(key) || text === `prop:${key}`;

function isSeen(text: string, properties: readonly Property[] | undefined): boolean {
  return properties === undefined || properties.length >= MAX_KEYS || properties.some(({ key }) => namesProperty(text, key));
}

function verdictOf(text: string, isKnown: boolean): Verdict {
  return isKnown ? "taken" : { question: `“${text}” has never been seen. Use it anyway?` };
}
