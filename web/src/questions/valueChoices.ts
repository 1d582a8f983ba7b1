import { writeName } from "./language.ts";
import type { Choice } from "./phrases.ts";
import { quoted } from "./tokens.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Return values that a key is known to have, as a line has them. */
export function valueChoicesOf({ names }: Vocabulary, key: string): Choice[] {
  if (key === "name") return names.events.map(({ name }) => ({ text: writeValue(name) }));
  const examples = names.properties.find((property) => property.key === key.replace(/^prop:/, ""))?.examples ?? [];
  return examples.filter(isValue).map((example) => ({ text: writeValue(example) }));
}

const isValue = (example: unknown): example is string | number | boolean => ["string", "number", "boolean"].includes(typeof example);

/** Write a value of a filter: a text that reads as something else is in quotes. */
export function writeValue(value: string | number | boolean): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return value === "true" || value === "false" ? quoted(value) : writeName(value);
}
