import { formatAlone, formatPercent, formatShort, toFixedEven } from "./numbers.ts";

/** How a number differs from the one before: a share of it, a factor, or a difference, which has its sign. */
export interface Change {
  direction: "up" | "down" | "none";
  kind: "share" | "factor" | "difference";
  /** Without an arrow: "25.0 %", "4.2 ×", "+3", "no change". */
  text: string;
}

/** A number that is more than so many times the one before is written as a factor. */
const MAX_SHARE_FACTOR = 3;
/** Below it, a factor has a decimal. */
const FEW_TIMES = 9.95;
const TIMES = "\u2009×";
const MINUS = "\u2212";

/** Return the change; null if there is nothing to compare with. A share of a number below zero would mislead. */
export function changeOf(value: number | null, previous: number | null): Change | null {
  if (value === null || previous === null) return null;
  const isSigned = value < 0 || previous < 0;
  if (value === previous) return { direction: "none", kind: isSigned ? "difference" : "share", text: "no change" };
  const direction = value > previous ? "up" : "down";
  if (isSigned) {
    const difference = value - previous;
    if (!Number.isFinite(difference)) return null;
    return { direction, kind: "difference", text: `${difference > 0 ? "+" : MINUS}${formatAlone(Math.abs(difference))}` };
  }
  const factor = value / previous;
  if (!Number.isFinite(factor)) return null;
  if (factor > MAX_SHARE_FACTOR) return { direction, kind: "factor", text: factorInWords(factor) };
  return { direction, kind: "share", text: formatPercent((value - previous) / previous) };
}

/** Write how many times as large something is: "4.2 ×", "12 ×". */
export const factorInWords = (factor: number): string =>
  (factor < FEW_TIMES ? toFixedEven(factor, 1) : formatShort(Number(toFixedEven(factor, 0)))) + TIMES;

/** Write a change with an arrow for its direction; a difference has its sign instead. */
export function changeInWords({ direction, kind, text }: Change): string {
  if (direction === "none" || kind === "difference") return text;
  return `${direction === "up" ? "↑" : "↓"} ${text}`;
}
