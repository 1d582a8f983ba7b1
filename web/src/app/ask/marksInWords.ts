import type { Mark } from "../../questions/question.ts";

const MAX_CHOICES = 4;

/** Say what the first mark of a line is about, and what would be accepted there; "" without marks. */
export function marksInWords(text: string, [mark]: readonly Mark[]): string {
  if (!mark) return "";
  const choiceText = mark.choices.slice(0, MAX_CHOICES).join(", ");
  if (mark.start === mark.end) return choiceText === "" ? "Something is missing at the end." : `Go on with ${choiceText}.`;
  const word = text.slice(mark.start, mark.end);
  return choiceText === "" ? `“${word}” isn't known here.` : `“${word}” isn't known here. Try ${choiceText}.`;
}
