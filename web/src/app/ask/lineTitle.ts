import type { LineNames, Question } from "../../questions/question.ts";
import { writeQuestion } from "../../questions/writeQuestion.ts";

/** As many characters as the title of a widget can have. */
const MAX_LENGTH = 120;

/** Return the title of a question: its line without a time range and an environment, which its dashboard has. */
export function lineTitle({ timeRange: _timeRange, environment: _environment, ...question }: Question, names: LineNames): string {
  const characters = Array.from(writeQuestion(question, names));
  return characters.length <= MAX_LENGTH ? characters.join("") : `${characters.slice(0, MAX_LENGTH - 1).join("")}…`;
}
