import { writeName } from "./language.ts";
import type { Choice } from "./phrases.ts";
import { quoted } from "./tokens.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Return values that a key is known to have, as a line has them. */
export function valueChoicesOf({ names }: Vocabulary, key: string): Choice[] {
  if (key === "name") return names.events.map(({ name }) => ({ text: writeValue(name) }));
  const property = names.properties.find((known) => known.key === key.replace(/^prop:/, ""));
  const isText = property?.types.every((type) => type === "string") ?? false;
  return (property?.examples ?? []).map((example) => {
    const value = typeof example === "string" ? example : JSON.stringify(example);
    return { text: isText ? writeValue(value) : value };
  });
}

/** Write a value of a filter: a text that reads as something else is in quotes. */
export function writeValue(value: string | number | boolean): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return value === "true" || value === "false" ? quoted(value) : writeName(value);
}
