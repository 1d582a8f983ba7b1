import { type Operator, takesValue } from "../filters.ts";
import { OPERATOR_WORDS } from "../operatorWords.ts";

/** The types of the values that each known key has had. */
export type TypesByKey = ReadonlyMap<string, readonly string[]>;

/**
 * How far a condition is written.
 *
 * `rest` is the part that is being written, and `head` all text before it.
 */
export type Parts =
  | { stage: "key"; head: ""; rest: string }
  | { stage: "operator"; head: string; rest: string; key: string }
  | { stage: "value"; head: string; rest: string; key: string; op: Operator };

/** The words of all operators, the longest first: "is not set" before "is not". */
const WORDS = OPERATOR_WORDS.flatMap(([op, ...words]) => words.map((word) => [word, op] as const)).toSorted(
  ([word], [otherWord]) => otherWord.length - word.length,
);

const QUOTED = /^"(?:[^"\\]|\\.)*"/;
const QUOTED_OR = /(?<=^|[\s,=<>≥≤])"(?:[^"\\]|\\.)*"|\sor(?:\s|$)/gi;
const LIST_PART = /\s*"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+/g;
const BARE_KEY = /^[^\s"=!<>≥≤]+/;
const AFTER_KEY = /^[\s=!<>≥≤]/;
const LETTER = /^\p{L}/u;

/** Take a condition apart as far as it is written: "origin is J" has a key, an operator and the beginning of a value. */
export function partsOf(text: string, types: TypesByKey): Parts {
  const writtenKey = leadingKey(text, types);
  const afterKey = text.slice(writtenKey.length);
  if (writtenKey === "" || !AFTER_KEY.test(afterKey)) return { stage: "key", head: "", rest: text };
  const key = unquote(writtenKey);
  const operatorText = afterKey.trimStart();
  for (const [word, op] of WORDS) {
    const afterWord = operatorText.slice(word.length);
    if (!operatorText.toLowerCase().startsWith(word) || !isWholeOperator(word, op, afterWord)) continue;
    if (LETTER.test(word) && takesValue(op) && afterWord === "") break;
    const rest = afterWord.trimStart();
    return { stage: "value", key, op, head: text.slice(0, text.length - rest.length), rest };
  }
  return { stage: "operator", key, head: text.slice(0, text.length - operatorText.length), rest: operatorText };
}

/**
 * Cut a text at each "or" outside of quotes that begins another condition.
 *
 * It does so at the end, before a whole condition, and before the beginning of a known key.
 */
export function conditionTexts(text: string, types: TypesByKey): string[] {
  const texts: string[] = [];
  let start = 0;
  for (const { 0: match, index } of text.matchAll(QUOTED_OR)) {
    const end = index + match.length;
    if (match.startsWith('"') || !beginsCondition(text.slice(end), types)) continue;
    texts.push(text.slice(start, index));
    start = end;
  }
  return [...texts, text.slice(start)];
}

/** Return the types of a key; `prop:plan` is the property `plan`. */
export const typesOf = (key: string, types: TypesByKey): readonly string[] => types.get(key) ?? types.get(key.replace(/^prop:/, "")) ?? [];

/** Return a key as it is written in a condition. */
export const keyText = (key: string): string => (BARE_KEY.exec(key)?.[0] === key ? key : JSON.stringify(key));

/** Cut a list at the commas outside of quotes. */
export const listParts = (text: string): string[] => (text.match(LIST_PART) ?? []).map((part) => part.trim());

/** Return the text that quotes hold, or a text without quotes as it is. */
export function unquote(text: string): string {
  if (QUOTED.exec(text)?.[0] !== text) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/** Return the key that a text begins with: what is in quotes, the longest known one, or a word that no known one begins with. */
function leadingKey(text: string, types: TypesByKey): string {
  const [quotedKey] = QUOTED.exec(text) ?? [];
  if (quotedKey !== undefined) return quotedKey;
  const knownKeys = [...types.keys()].filter((key) => text.startsWith(key) && AFTER_KEY.test(text.slice(key.length)));
  const [longestKey] = knownKeys.toSorted((key, otherKey) => otherKey.length - key.length);
  return longestKey ?? (isBeginningOfKey(text, types) ? "" : (BARE_KEY.exec(text)?.[0] ?? ""));
}

const isBeginningOfKey = (text: string, types: TypesByKey): boolean => [...types.keys()].some((key) => key.startsWith(text));

function beginsCondition(text: string, types: TypesByKey): boolean {
  const parts = partsOf(text.trimStart(), types);
  if (parts.stage === "key") return /^(?:"|$)/.test(parts.rest) || isBeginningOfKey(parts.rest.trimEnd(), types);
  return parts.stage === "value" || types.has(parts.key);
}

/** Return whether an operator is whole: a sign always is, "is set" only at the end, and "is" there or before a space. */
function isWholeOperator(word: string, op: Operator, textAfter: string): boolean {
  if (!takesValue(op)) return textAfter.trim() === "";
  return !LETTER.test(word) || /^(?:\s|$)/.test(textAfter);
}
