import type { Fields } from "./question.ts";
import { LETTERS } from "./readExpression.ts";
import { isNumber } from "./readExpression.ts";
import { type PartWriter, joinWords } from "./PartWriter.ts";
import { quoted } from "./tokens.ts";

const PIECE = /[a-d]|\d*\.?\d+(?:e[+-]?\d+)?|[-+*/()]/gi;

/** Write a formula with its measures in the place of the letters; with the letters, where a line would name other ones. */
export function writeExpression(fields: Fields, writer: PartWriter): string {
  const expression = fields.expression ?? "";
  const partTexts = LETTERS.flatMap((letter) => (fields[letter] ? [writer.part(fields[letter])] : []));
  const pieces = piecesOf(expression);
  const isPlain = pieces.map(({ gap, text }) => gap + text).join("") === expression && areLettersInOrder(pieces, partTexts) && areNumbersPlain(pieces);
  if (!isPlain) {
    return `formula ${quoted(expression)} with ${partTexts.map((partText, index) => joinWords(LETTERS[index], "=", partText)).join(", ")}`;
  }
  return pieces.map(({ gap, text, isMinusBefore }) => {
    const partText = partTexts[LETTERS.findIndex((letter) => letter === text)];
    return gap + (partText ?? (isMinusBefore ? "- " : text));
  }).join("");
}

interface Piece {
  text: string;
  /** What a line has before it. */
  gap: string;
  /** It is the sign of what follows. */
  isMinusBefore: boolean;
}

/** Return the letters, numbers and signs of an expression, with the gaps of a line. */
function piecesOf(expression: string): Piece[] {
  const texts = expression.match(PIECE) ?? [];
  const isOperand = (text: string | undefined) => text !== undefined && (text === ")" || !/^[-+*/(]$/.test(text));
  return texts.map((text, index) => {
    const previousText = texts[index - 1];
    const isBinary = /^[-+*/]$/.test(text) && isOperand(previousText);
    const isAfterBinary = previousText !== undefined && /^[-+*/]$/.test(previousText) && isOperand(texts[index - 2]);
    return { text, gap: isBinary || isAfterBinary ? " " : "", isMinusBefore: text === "-" && !isBinary };
  });
}

/** Return whether a line would give its parts these letters: each part another one, by when it first comes. */
function areLettersInOrder(pieces: readonly Piece[], partTexts: readonly string[]): boolean {
  const letters = [...new Set(pieces.map(({ text }) => text).filter((text) => LETTERS.some((letter) => letter === text)))];
  const isInOrder = letters.join("") === LETTERS.slice(0, partTexts.length).join("");
  return isInOrder && new Set(partTexts).size === partTexts.length && pieces.some(({ text }) => /^[-+*/]$/.test(text));
}

const areNumbersPlain = (pieces: readonly Piece[]): boolean => pieces.every(({ text }) => !/\d/.test(text) || isNumber(text));
