import { parseExact } from "../core/exactJson.ts";
import type { components } from "./schema.gen.ts";

export type Result = components["schemas"]["Result"];

/** Read the answer of a widget. Events in it keep every digit of their numbers; what is computed is a double anyway. */
export function resultOf(text: string): Result {
  const result = JSON.parse(text) as Result;
  return result.kind === "table" ? (parseExact(text) as Result) : result;
}
