import { type Part, readPart } from "./readParts.ts";
import type { Reader } from "./Reader.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The names of the parts of a formula. */
export const LETTERS = ["a", "b", "c", "d"] as const;
const SIGNS = ["/", "*", "+", "-"] as const;
/** How deep parentheses and signs may be nested: an expression has at most 20 of each (rules/questions#formulas). */
const MAX_DEPTH = 40;

/** Arithmetic with parts, of which the expression has the letters. */
export interface Expression {
  text: string;
  parts: Part[];
}

/** Read one measure, or arithmetic with measures and numbers: "track.error / track.play * 100". */
export function readExpression(reader: Reader, vocabulary: Vocabulary): Expression {
  const parts: Part[] = [];
  const readPartLetter = (): string => {
    const part = readPart(reader, vocabulary);
    const sameIndex = parts.findIndex((other) => JSON.stringify(other) === JSON.stringify(part));
    if (sameIndex < 0 && parts.length === LETTERS.length) reader.markNext();
    if (sameIndex < 0) parts.push(part);
    return LETTERS[sameIndex < 0 ? parts.length - 1 : sameIndex] ?? "";
  };
  const readOperand = (depth: number): string => {
    if (depth < MAX_DEPTH && reader.takesWord("(")) {
      const innerText = readSum(depth + 1);
      reader.require(")");
      return `(${innerText})`;
    }
    if (depth < MAX_DEPTH && reader.takesWord("-")) return `-${readOperand(depth + 1)}`;
    const token = reader.peek();
    return token?.form === "word" && isNumber(token.text) ? (reader.takeToken()?.text ?? "") : readPartLetter();
  };
  const readSum = (depth: number): string => {
    let text = readOperand(depth);
    for (let sign = takesSign(reader); sign !== undefined; sign = takesSign(reader)) text += ` ${sign} ${readOperand(depth)}`;
    return text;
  };
  return { text: readSum(0), parts };
}

const takesSign = (reader: Reader): string | undefined => SIGNS.find((sign) => reader.takesWord(sign));

/** Return whether a word is a number in JSON. */
export const isNumber = (word: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(word);
