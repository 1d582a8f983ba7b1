import type { Judge } from "../../ui/Combobox/typedText.ts";
import { type Condition, type Filter, OPERATORS, partsOfFilter, takesList, takesValue } from "../filters.ts";
import { type FilterValue, canCompare, comparesNumbers, readValue } from "../filterValues.ts";
import { type Parts, type TypesByKey, conditionTexts, keyText, listParts, partsOf, typesOf, unquote } from "./parts.ts";

interface Refusal {
  refusal: string;
}

const NEEDS_QUOTES = /["\p{Cc}]/u;

/**
 * Read a filter as somebody types it: `plan is pro`, `amount > 100 or plan is one of "a, b", c`.
 *
 * What is in quotes is a text to the letter. Elsewhere, a number is one if the key has had numbers. A text that is no
 * filter comes to a sentence that says so.
 */
export function readFilter(text: string, types: TypesByKey): { filter: Filter } | Refusal {
  const conditions: Condition[] = [];
  for (const conditionText of conditionTexts(text, types)) {
    const reading = readCondition(conditionText.trim(), types);
    if ("refusal" in reading) return reading;
    conditions.push(reading);
  }
  const [firstCondition, ...otherConditions] = conditions;
  if (!firstCondition) return refusalOf(text);
  return { filter: otherConditions.length === 0 ? firstCondition : { any: [firstCondition, ...otherConditions] } };
}

/** Write a filter so that it reads as the same one: what would read as something else is in quotes. */
export function writeFilter(filter: Filter, types: TypesByKey): string {
  return partsOfFilter(filter)
    .map((condition) => writeCondition(condition, types))
    .join(" or ");
}

/** Write a value for the end of a condition, in quotes if it would read as something else. */
export function writeValue({ key, op }: Pick<Condition, "key" | "op">, value: FilterValue, types: TypesByKey): string {
  const plainText = String(value);
  const reading = NEEDS_QUOTES.test(plainText) ? null : readFilter(headText({ key, op }) + plainText, types);
  const sameValue = comparesNumbers(op) ? readValue(plainText, false, op, []) : value;
  const isPlain = JSON.stringify(reading) === JSON.stringify({ filter: { key, op, value: takesList(op) ? [value] : sameValue } });
  return isPlain || typeof value !== "string" ? plainText : JSON.stringify(value);
}

/** Judge a typed filter: one that lacks something is refused, and a key that was never seen is asked about. */
export const filterJudge =
  (types: TypesByKey, keyJudge: Judge): Judge =>
  (text) => {
    const reading = readFilter(text, types);
    if ("refusal" in reading) return reading;
    const verdicts = partsOfFilter(reading.filter).map(({ key }) => keyJudge(key));
    return verdicts.find((verdict) => verdict !== "taken") ?? "taken";
  };

function writeCondition({ key, op, value }: Condition, types: TypesByKey): string {
  const values = value === undefined ? [] : [value].flat();
  return (headText({ key, op }) + values.map((part) => writeValue({ key, op }, part, types)).join(", ")).trim();
}

const headText = ({ key, op }: Pick<Condition, "key" | "op">): string => `${keyText(key)} ${OPERATORS[op]} `;

function readCondition(text: string, types: TypesByKey): Condition | Refusal {
  const parts = partsOf(text, types);
  if (parts.stage !== "value") return refusalOf(text);
  const { key, op, rest } = parts;
  if (!takesValue(op)) return { key, op };
  const values = (takesList(op) ? listParts(rest) : [rest]).filter((part) => part !== "").map((part) => valueOf(part, parts, types));
  const [firstValue] = values;
  if (firstValue === undefined) return refusalOf(text);
  if (!canCompare(op, firstValue)) return comparesNumbers(op) ? { refusal: `“${OPERATORS[op]}” needs a number, e.g. “${key} ${OPERATORS[op]} 5”.` } : refusalOf(text);
  return { key, op, value: takesList(op) ? values : firstValue };
}

function valueOf(text: string, { key, op }: Extract<Parts, { stage: "value" }>, types: TypesByKey): FilterValue {
  const unquotedText = unquote(text);
  return readValue(unquotedText, unquotedText !== text, op, typesOf(key, types));
}

const refusalOf = (text: string): Refusal => ({
  refusal: `“${text.trim()}” is not a whole filter. Write a property, an operator and a value, e.g. “plan is pro”.`,
});
