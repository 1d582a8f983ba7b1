import type { Mark } from "../../questions/question.ts";

const MAX_CHOICES = 4;

/** Say what a line has that is not known, and what it would accept there; "" if nothing. */
export const marksInWords = (text: string, marks: readonly Mark[]): string => marks.map((mark) => markInWords(text, mark)).join(" ");

function markInWords(text: string, { start, end, choices }: Mark): string {
  const choiceText = choices.slice(0, MAX_CHOICES).join(", ");
  if (start === end) return choiceText === "" ? "Something is missing at the end." : `Goes on with: ${choiceText}.`;
  const word = text.slice(start, end);
  return choiceText === "" ? `“${word}” isn't known here.` : `“${word}” isn't known here. Try ${choiceText}.`;
}
