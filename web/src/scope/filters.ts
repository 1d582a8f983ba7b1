import type { components } from "../api/schema.gen.ts";

export type Condition = components["schemas"]["FilterCondition"];
export type Filter = components["schemas"]["Filter"];
export type Operator = Condition["op"];
type Value = NonNullable<Condition["value"]>;
type SingleValue = string | number | boolean;

/** Operators in the order of the menus, with the words between a key and a value. */
export const OPERATORS: Record<Operator, string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  starts_with: "starts with",
  in: "is one of",
  not_in: "is none of",
  has: "has",
  exists: "is set",
  not_exists: "is not set",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  regex: "matches",
};

const WITHOUT_VALUE = new Set<Operator>(["exists", "not_exists"]);
const WITH_LIST = new Set<Operator>(["in", "not_in"]);
const LOOKS_TYPED = /^(?:true|false|"|-?\d)/;

const MANY_DIGITS = /\d[\d.]{15}/;

export const takesValue = (op: Operator): boolean => !WITHOUT_VALUE.has(op);
export const takesList = (op: Operator): boolean => WITH_LIST.has(op);
export const isAlternatives = (filter: Filter): filter is { any: Condition[] } => "any" in filter;
/** Return the conditions of a filter: one, or its alternatives. */
export const partsOfFilter = (filter: Filter): readonly Condition[] => (isAlternatives(filter) ? filter.any : [filter]);

/**
 * Write a filter for the URL: `plan:eq:pro`, `amount:gt:100`, `country:in:DE,AT`, `plan:exists`; alternatives are
 * joined by `|`. Inside a part, the separators and `%` are escaped. A text that reads as a number or a boolean is
 * written as JSON, so that `"5"` and 5 stay two things.
 */
export function filterToText(filter: Filter): string {
  return isAlternatives(filter) ? `any|${filter.any.map(conditionToText).join("|")}` : conditionToText(filter);
}

/** Read a filter from the URL; null if it is none. */
export function filterFromText(text: string): Filter | null {
  if (!text.startsWith("any|")) return conditionFromText(text);
  const any = text.slice("any|".length).split("|").map(conditionFromText);
  return any.length > 0 && any.every((condition) => condition !== null) ? { any } : null;
}

/** Write a filter in words: "plan is pro", "amount > 100 or plan is set". */
export function filterInWords(filter: Filter): string {
  return partsOfFilter(filter).map(({ key, op, value }) => [key, OPERATORS[op], valueInWords(value)].join(" ").trim()).join(" or ");
}

/** Whether a number in JSON has digits that JavaScript drops; as text, the server takes it as the same number. */
export const losesDigits = (text: string): boolean => MANY_DIGITS.test(text) && String(Number(text)) !== text;

/** Write filters that all hold in words: "plan is pro, amount > 100". */
export const filtersInWords = (filters: readonly Filter[] | null | undefined): string => (filters ?? []).map(filterInWords).join(", ");

/** Write a filter's value in words: "pro", "DE, AT", or nothing. */
export function valueInWords(value: Value | undefined): string {
  if (value === undefined) return "";
  return Array.isArray(value) ? value.map(String).join(", ") : String(value);
}

function conditionToText({ key, op, value }: Condition): string {
  const keyAndOperator = `${escapeText(key)}:${op}`;
  if (value === undefined) return keyAndOperator;
  const values = Array.isArray(value) ? value : [value];
  return `${keyAndOperator}:${values.map(valueToText).join(",")}`;
}

function conditionFromText(text: string): Condition | null {
  const [key, op, value, ...extraParts] = text.split(":");
  if (!key || !op || extraParts.length > 0 || !Object.hasOwn(OPERATORS, op)) return null;
  const operator = op as Operator;
  if (!takesValue(operator)) return value === undefined ? { key: unescapeText(key), op: operator } : null;
  if (value === undefined) return null;
  const values = value.split(",").map(valueFromText);
  const [firstValue] = values;
  if (takesList(operator)) return { key: unescapeText(key), op: operator, value: values };
  return firstValue === undefined || values.length > 1 ? null : { key: unescapeText(key), op: operator, value: firstValue };
}

function valueToText(value: SingleValue): string {
  const text = typeof value === "string" && !LOOKS_TYPED.test(value) ? value : JSON.stringify(value);
  return escapeText(text);
}

function valueFromText(text: string): SingleValue {
  const plainText = unescapeText(text);
  if (!LOOKS_TYPED.test(plainText)) return plainText;
  try {
    const value: unknown = JSON.parse(plainText);
    return typeof value === "object" || (typeof value === "number" && losesDigits(plainText)) ? plainText : (value as SingleValue);
  } catch {
    return plainText;
  }
}

const escapeText = (text: string): string => text.replace(/[%:,|]/g, (character) => encodeURIComponent(character));

const unescapeText = (text: string): string => text.replace(/%(25|3A|2C|7C)/gi, (code) => decodeURIComponent(code));
