import type { Choice } from "./phrases.ts";

/** How many choices of a list are named where nothing was typed that tells which is meant. */
const FIRST_OF_EACH = 3;
/** A text with more typing errors than this part of its letters is another text. */
const MAX_ERROR_PART = 0.5;
/** Among more choices than this, only those that hold the text are looked for: the distance to each takes too long. */
const MAX_COMPARED = 500;

/**
 * Return the texts of choices that are like a typed text, the most similar first; the first of each list if none is. Signs are
 * among them only where no words are.
 */
export function similarTexts(choiceLists: readonly (readonly Choice[])[], typedText: string): string[] {
  const wordLists = choiceLists.map((choices) => choices.filter(({ text }) => /[\p{L}\d]/u.test(text)));
  if (wordLists.some((choices) => choices.length > 0)) return similarWords(wordLists, typedText);
  return choiceLists.flatMap((choices) => choices.map(({ text }) => text));
}

function similarWords(choiceLists: readonly (readonly Choice[])[], typedText: string): string[] {
  const texts = [...new Set(choiceLists.flatMap((choices) => choices.map(({ text }) => text)))];
  const firstTexts = [...new Set(choiceLists.flatMap((choices) => choices.slice(0, FIRST_OF_EACH).map(({ text }) => text)))];
  if (typedText === "") return firstTexts;
  const ranks = texts.map((text) => ({ text, rank: rankOf(text, typedText.toLowerCase(), texts.length <= MAX_COMPARED) }));
  const similar = ranks.filter(({ rank }) => rank < Infinity).toSorted((one, other) => one.rank - other.rank);
  return similar.length > 0 ? similar.map(({ text }) => text) : firstTexts;
}

/** Rank a text: 0 if it begins with what was typed, 1 if it holds it, then by typing errors. */
function rankOf(text: string, typedText: string, isCompared: boolean): number {
  const bareText = text.toLowerCase().replace(/^"|"$/g, "");
  if (bareText.startsWith(typedText)) return 0;
  if (bareText.includes(typedText)) return 1;
  const maxErrors = MAX_ERROR_PART * Math.max(bareText.length, typedText.length);
  const isComparable = isCompared && Math.abs(bareText.length - typedText.length) <= maxErrors;
  const errorCount = isComparable ? distanceOf(bareText, typedText) : Infinity;
  return errorCount <= maxErrors ? 1 + errorCount : Infinity;
}

/** Return how many letters have to be put in, left out or replaced to make one text of another (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    const nextRow = [index + 1];
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (row[column] ?? 0) + (one[index] === other[column] ? 0 : 1);
      nextRow.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (nextRow[column] ?? 0) + 1));
    }
    row = nextRow;
  }
  return row[other.length] ?? 0;
}
