import type { ReactNode } from "react";
import type { components } from "../api/schema.gen.ts";
import { FormSelect } from "./FormSection.tsx";

type Interval = components["schemas"]["MetricConfig"]["interval"];

const INTERVALS = ["auto", "minute", "hour", "day", "week", "month"] as const;
const WORDS = { auto: "Automatic", minute: "Minute", hour: "Hour", day: "Day", week: "Week", month: "Month" };

/** How long the time buckets of a chart are. */
export function IntervalField({ interval, onChange }: { interval: Interval | undefined; onChange: (interval: Exclude<Interval, undefined>) => void }): ReactNode {
  return (
    <FormSelect
      label="Interval"
      value={interval ?? "auto"}
      options={INTERVALS.map((value) => ({ value, label: WORDS[value] }))}
      onChange={(name) => onChange(INTERVALS.find((candidate) => candidate === name && candidate !== "auto") ?? null)}
    />
  );
}
