import type { Mark } from "../../questions/question.ts";

const MAX_CHOICES = 4;
/** In UTF-16 units: enough to see which word is meant. */
const MAX_WORD_LENGTH = 60;

/** Say what the first mark of a line is about, and what would be accepted there; "" without marks. */
export function marksInWords(text: string, [mark]: readonly Mark[]): string {
  if (!mark) return "";
  const choiceText = mark.choices.slice(0, MAX_CHOICES).join(", ");
  if (mark.start === mark.end) return choiceText === "" ? "Something is missing at the end." : `Go on with ${choiceText}.`;
  const markedText = text.slice(mark.start, mark.end);
  const word = markedText.length > MAX_WORD_LENGTH ? `${markedText.slice(0, MAX_WORD_LENGTH)}…` : markedText;
  return choiceText === "" ? `“${word}” isn't known here.` : `“${word}” isn't known here. Try ${choiceText}.`;
}
