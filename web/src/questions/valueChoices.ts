import { valuesOf } from "../widgets/names.ts";
import { writeName } from "./language.ts";
import type { Choice } from "./phrases.ts";
import { quoted } from "./tokens.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Return values that a key is known to have, as a line has them. */
export function valueChoicesOf({ names }: Vocabulary, key: string): Choice[] {
  if (key === "name") return names.events.map(({ name }) => ({ text: writeValue(name) }));
  const isText = names.properties.some((property) => property.key === key.replace(/^prop:/, "") && property.types.every((type) => type === "string"));
  return valuesOf(names, key).map(({ value }) => ({ text: isText ? writeValue(value) : value }));
}

/** Write a value of a filter: a text that reads as something else is in quotes. */
export function writeValue(value: string | number | boolean): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return value === "true" || value === "false" ? quoted(value) : writeName(value);
}
