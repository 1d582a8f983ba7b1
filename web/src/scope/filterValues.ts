import { type Operator, losesDigits } from "./filters.ts";

/** One value of a condition. */
export type FilterValue = string | number | boolean;

const OF_TEXTS = new Set<Operator>(["contains", "starts_with", "regex"]);
const OF_NUMBERS = new Set<Operator>(["gt", "gte", "lt", "lte"]);

export const comparesNumbers = (op: Operator): boolean => OF_NUMBERS.has(op);

/**
 * Read a value as somebody wrote it, in a field or in a line. What is in quotes is a text to the letter; elsewhere, a
 * number or a boolean is one only where the key has had some, or where the operator compares numbers.
 *
 * @param types - of the values that the key has had.
 */
export function readValue(text: string, isQuoted: boolean, op: Operator, types: readonly string[]): FilterValue {
  if (isQuoted || OF_TEXTS.has(op)) return text;
  return valueOfText(text, OF_NUMBERS.has(op) ? ["number"] : types);
}

/** Return whether an operator can compare with a value: some need a number, others a text that is not empty. */
export function canCompare(op: Operator, value: FilterValue): boolean {
  if (OF_NUMBERS.has(op)) return isNumber(value);
  return !OF_TEXTS.has(op) || value !== "";
}

/**
 * Read a text as one value: a number or a boolean only where the key has had some.
 *
 * A number of more digits than JavaScript keeps stays a text, which the server takes as the same number.
 */
function valueOfText(text: string, types: readonly string[]): FilterValue {
  const number = Number(text);
  if (types.includes("number") && text.trim() !== "" && Number.isFinite(number)) return losesDigits(text.trim()) ? text.trim() : number;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

const isNumber = (value: FilterValue): boolean => typeof value !== "boolean" && String(value).trim() !== "" && Number.isFinite(Number(value));
