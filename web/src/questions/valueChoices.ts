import type { Condition } from "../scope/filters.ts";
import { type FilterValue, canCompare, readValue } from "../scope/filterValues.ts";
import { writeName } from "./language.ts";
import type { Choice } from "./phrases.ts";
import { isOneWord, quoted } from "./tokens.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Return values that a key is known to have and an operator can compare with, as a line has them. */
export function valueChoicesOf(vocabulary: Vocabulary, { key, op }: Condition): Choice[] {
  const { names, examplesOf } = vocabulary;
  const values = key === "name" ? names.events.map(({ name }) => name) : examplesOf(key).filter(isValue);
  return values.filter((value) => canCompare(op, value)).map((value) => ({ text: writeValue(vocabulary, { key, op }, value) }));
}

const isValue = (example: unknown): example is FilterValue => ["string", "number", "boolean"].includes(typeof example);

/** Write a value of a condition: a text that reads as something else is in quotes. */
export function writeValue({ typesOf }: Vocabulary, { key, op }: Condition, value: FilterValue): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isSame = readValue(value, false, op, typesOf(key)) === value;
  return isSame && (writeName(value) === value || isNumber(value)) ? value : quoted(value);
}

const isNumber = (word: string): boolean => isOneWord(word) && Number.isFinite(Number(word));
