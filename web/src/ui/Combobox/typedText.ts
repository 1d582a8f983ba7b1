import { type ComboOption, findNamedOption } from "./matches.ts";

/** What a text that no option has comes to: it counts, it counts once somebody confirms it, or it does not. */
export type Verdict = "taken" | { question: string } | { refusal: string };

/** Judges a text that no option has, once it is whole. */
export type Judge = (text: string) => Verdict;

/** Refuse all that the list does not hold. */
export const unlistedJudge: Judge = (text) => ({ refusal: `“${text}” is not in the list.` });

/** Something to be said of a text that no option has. */
export interface Doubt {
  text: string;
  sentence: string;
  /** The text counts if somebody says so. */
  isQuestion: boolean;
}

/** Return what a typed text comes to: a value, or a doubt. */
export function meaningOf(draft: string, options: readonly ComboOption[], textJudge: "any" | Judge): { value: string } | { doubt: Doubt } {
  const text = draft.trim();
  if (textJudge === "any") return { value: draft };
  const option = findNamedOption(options, text);
  if (option || text === "") return { value: option?.value ?? "" };
  const verdict = textJudge(text);
  if (verdict === "taken") return { value: text };
  const isQuestion = "question" in verdict;
  return { doubt: { text, sentence: isQuestion ? verdict.question : verdict.refusal, isQuestion } };
}

/** Return the option that is active before the arrows are used: the best one, unless the text itself counts. */
export function initialActiveIndex(draft: string | null, textJudge: "any" | Judge, optionCount: number): number {
  const text = (draft ?? "").trim();
  if (text === "" || textJudge === "any" || optionCount === 0) return -1;
  return textJudge(text) === "taken" ? -1 : 0;
}

/** Return where an arrow leads: round and round downwards, upwards from the first to the text itself. */
export function nextActiveIndex(activeIndex: number, step: 1 | -1, optionCount: number): number {
  if (step === 1) return (activeIndex + 1) % optionCount;
  return activeIndex === -1 ? optionCount - 1 : activeIndex - 1;
}

/** Act once the mouse button is up again: what appears sooner moves the target of the click that took the focus away. */
export function afterPress(act: () => void): void {
  const actLater = () => window.setTimeout(act);
  if (document.querySelector(":active")) window.addEventListener("mouseup", actLater, { once: true });
  else actLater();
}
