import { MEASURE_NAMES } from "../core/names.gen.ts";
import { type Measure, SHIFTS, takesProperty } from "./words.ts";

/** Measures as a form offers them, in the order of the menus: "Count of events", "Average of". */
export const MEASURE_CHOICES = (Object.keys(MEASURE_NAMES) as Measure[]).map((value) => ({ value, label: labelOf(value) }));

function labelOf(measure: Measure): string {
  if (measure === "count") return `${MEASURE_NAMES.count} of events`;
  return takesProperty(measure) ? `${MEASURE_NAMES[measure]} of` : MEASURE_NAMES[measure];
}

/** Measures as a sentence names them: "the count of …", "the 95th percentile of …". */
export const MEASURE_WORDS = Object.entries(MEASURE_NAMES).map(([value, name]) => ({ value, label: name.toLowerCase() }));

/** What an answer is compared with, as it goes on after "against". */
export const COMPARISON_WORDS = [
  { value: "none", label: "nothing" },
  { value: "previous", label: "the previous period" },
  ...Object.entries(SHIFTS).map(([value, label]) => ({ value, label: label.toLowerCase() })),
];
