/** What the palette and the questions typed in it know of each other. */
import type { Mark } from "../../questions/question.ts";
import type { Command } from "../commands.ts";

/** What somebody has typed, and where the cursor is in it, in UTF-16 units. */
export interface Line {
  text: string;
  cursor: number;
}

/** What a line offers as a question, for the list of the palette. */
export interface LineOffer {
  /** The answer, or what can be done with it. */
  answers: Command[];
  /** What may stand at the cursor. */
  completions: Command[];
  marks: readonly Mark[];
  /** The line is a question, maybe with slips, and not just a search. */
  isQuestion: boolean;
  /** Somebody chooses what to do with the answer, and nothing else. */
  isChoosing: boolean;
}

export const NO_OFFER: LineOffer = { answers: [], completions: [], marks: [], isQuestion: false, isChoosing: false };

/** Return the entries of the palette: what somebody called by its whole name comes before what they may be asking. */
export function entriesOf(commands: readonly Command[], lookups: readonly Command[], { answers, completions, isQuestion, isChoosing }: LineOffer, text: string): Command[] {
  if (isChoosing) return answers;
  const isCalled = commands.some(({ label }) => label.toLowerCase() === text.trim().toLowerCase());
  if (isCalled) return [...commands, ...answers, ...lookups, ...completions];
  return isQuestion ? [...answers, ...completions, ...commands, ...lookups] : [...commands, ...lookups, ...completions];
}

/** Return the line after a text has taken the place of what was typed before the cursor; a space follows it. */
export function withCompletion({ text, cursor }: Line, completion: string, start: number): Line {
  const head = `${text.slice(0, start)}${completion} `;
  return { text: head + text.slice(cursor).trimStart(), cursor: head.length };
}
