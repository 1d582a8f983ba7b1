import { formatExact, formatPercent } from "../../../core/numbers.ts";
import type { RaceView } from "./race.ts";

/** What values are: plain numbers, differences, or changes in percent. */
export type Sign = "none" | "difference" | "percent";

export const SIGNS: Record<RaceView, Sign> = { value: "none", growth: "percent", gap: "difference" };

const MINUS = "\u2212";
const PERCENT = "\u2009%";

/** Write a value: `18,337`, `+467`, `+12.5 %`; what rounds to less than a tenth of a percent has no sign. */
export function formatSignedAs(sign: Sign, value: number | null): string {
  if (value === null || sign === "none") return formatExact(value);
  const text = sign === "percent" ? formatPercent(value / 100) : formatExact(Math.abs(value));
  if (value === 0 || text.startsWith("<")) return text;
  return `${value > 0 ? "+" : MINUS}${text}`;
}

/** Return the label of a value on an axis with its sign and unit; one below zero has its sign already. */
export function signTick(sign: Sign, label: string): string {
  if (sign === "none") return label;
  const signedLabel = label === "0" || label.startsWith(MINUS) ? label : `+${label}`;
  return sign === "percent" ? signedLabel + PERCENT : signedLabel;
}
