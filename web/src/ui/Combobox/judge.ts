/** What becomes of a text that no option has: it counts, it counts once somebody says so, or it does not. */
export type Verdict = "taken" | { question: string } | { refusal: string };

/** Judges a text that no option has, once it is whole. */
export type Judge = (text: string) => Verdict;

/** Refuse all that the list does not hold. */
export const unlistedJudge: Judge = (text) => ({ refusal: `“${text}” is not in the list.` });
