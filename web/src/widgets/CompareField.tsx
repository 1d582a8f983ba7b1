import type { ReactNode } from "react";
import type { components } from "../api/schema.gen.ts";
import { FormSelect } from "./FormSection.tsx";
import { compareOfChoice, COMPARISONS, comparisonChoice } from "./words.ts";

type Compare = components["schemas"]["MetricConfig"]["compare"];

export interface CompareFieldProps {
  compare: Compare | undefined;
  /** What counts if the config leaves it open: one number is compared with the period before, a chart with nothing. */
  fallback: "none" | "previous";
  onChange: (compare: NonNullable<Compare>) => void;
}

/** With which other period an answer is compared. */
export function CompareField({ compare, fallback, onChange }: CompareFieldProps): ReactNode {
  return <FormSelect label="Compare with" value={comparisonChoice(compare, fallback)} options={COMPARISONS} onChange={(choice) => onChange(compareOfChoice(choice))} />;
}
