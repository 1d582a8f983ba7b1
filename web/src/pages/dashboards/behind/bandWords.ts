import type { Differences, Widget } from "../../../api/widgets.ts";
import { factorInWords } from "../../../core/changes.ts";
import type { Interval } from "../../../core/time.ts";

/** Where a number is, compared with its usual band. */
export interface BandWords {
  place: "above" | "below" | "within";
  /** "8.0 × usual", "above usual", "as usual". */
  verdict: string;
  /** "usual 14 to 31". */
  range: string;
}

/** Beyond so many times the middle of the band, a factor says more than "above". */
const LEAST_FACTOR = 1.5;

/** Return whether numbers of a widget have a usual band, if there is history enough (rules/questions#usual-band). */
export const hasBand = (type: Widget["type"], interval: Interval | undefined): boolean =>
  (type === "metric" || type === "formula") && (interval === "hour" || interval === "day");

/** Say where a number is, compared with its usual band; null without a number. The factor is of the middle of the band. */
export function bandInWords(value: number | null, { low, high }: NonNullable<Differences["usual"]>, format: (value: number) => string): BandWords | null {
  if (value === null) return null;
  const edgeInWords = (edge: number) => format(Number.isInteger(value) ? Math.round(edge) : edge);
  const range = `usual ${edgeInWords(low)} to ${edgeInWords(high)}`;
  if (value < low) return { place: "below", verdict: "below usual", range };
  if (value <= high) return { place: "within", verdict: "as usual", range };
  const factor = value / ((low + high) / 2);
  const verdict = Number.isFinite(factor) && factor >= LEAST_FACTOR ? `${factorInWords(factor)} usual` : "above usual";
  return { place: "above", verdict, range };
}
