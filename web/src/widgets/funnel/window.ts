import { countInWords } from "../../core/numbers.ts";
import type { Judge } from "../../ui/Combobox/typedText.ts";

const HOURS_A_DAY = 24;
const MAX_HOURS = 30 * HOURS_A_DAY;
const LENGTH = /^(\d+)\s*(h|hours?|d|days?)?$/i;

/** Windows that are offered, in hours; any other one can be typed. */
const OFFERED_HOURS = [1, 6, HOURS_A_DAY, 3 * HOURS_A_DAY, 7 * HOURS_A_DAY, 14 * HOURS_A_DAY, MAX_HOURS];

/** Write how long a window is: "7 days", "36 hours". */
export const windowInWords = (hours: number): string =>
  hours % HOURS_A_DAY === 0 ? countInWords(hours / HOURS_A_DAY, "day") : countInWords(hours, "hour");

/** Read how long a window is, in hours; null for a text that is no length, or one that a window cannot have. */
export function windowOfText(text: string): number | null {
  const [, number, unit = ""] = LENGTH.exec(text.trim()) ?? [];
  const hours = Number(number) * (/^d/i.test(unit) ? HOURS_A_DAY : 1);
  return hours >= 1 && hours <= MAX_HOURS ? hours : null;
}

/** Windows as a field offers them, and what it makes of others. */
export const WINDOW_OFFER: { options: { value: string }[]; textJudge: Judge } = {
  options: OFFERED_HOURS.map((hours) => ({ value: windowInWords(hours) })),
  textJudge: (text) => (windowOfText(text) === null ? { refusal: `“${text}” is not from 1 hour to 30 days. Write e.g. “36 hours”.` } : "taken"),
};
