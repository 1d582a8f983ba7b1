import { losesDigits, type Condition } from "./filters.ts";

type Value = NonNullable<Condition["value"]>;
type SingleValue = string | number | boolean;

export interface InputFacts {
  /** Whether commas separate several values. */
  isList: boolean;
  /** The types that the property has had: a number is one only where numbers came. */
  types: string[];
}

/** Read what somebody typed as the value of a filter. */
export function valueFromInput(text: string, { isList, types }: InputFacts): Value {
  if (!isList) return valueFromText(text, types);
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "").map((part) => valueFromText(part, types));
}

function valueFromText(text: string, types: string[]): SingleValue {
  const number = Number(text);
  if (types.includes("number") && text.trim() !== "" && Number.isFinite(number)) return losesDigits(text.trim()) ? text.trim() : number;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
