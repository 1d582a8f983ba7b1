import { losesDigits } from "./filters.ts";

/**
 * Read what somebody typed as one value of a filter: a number or a boolean only where the key has had some.
 *
 * A number of more digits than JavaScript keeps stays a text, which the server takes as the same number.
 */
export function valueOfText(text: string, types: readonly string[]): string | number | boolean {
  const number = Number(text);
  if (types.includes("number") && text.trim() !== "" && Number.isFinite(number)) return losesDigits(text.trim()) ? text.trim() : number;
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}
