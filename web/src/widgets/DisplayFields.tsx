import type { ReactNode } from "react";
import type { components } from "../api/schema.gen.ts";
import { TextField } from "../ui/Field/TextField.tsx";
import { Segmented } from "../ui/Segmented/Segmented.tsx";
import { FormLine, FormPair, FormSelect } from "./FormSection.tsx";

export type Display = components["schemas"]["DisplayOptions"];

export interface DisplayFieldsProps {
  display: Display | null | undefined;
  onChange: (display: Display) => void;
  /** Whether there is a chart over time, whose axis can be chosen if it has lines. */
  isOverTime?: boolean;
  hasGoal?: boolean;
}

const AXES = [
  { value: "auto", label: "Automatic" },
  { value: "zero", label: "Start at zero" },
  { value: "fit", label: "Fit to values" },
];
const CHARTS_FROM_ZERO = new Set<Display["chart"]>(["area", "bar"]);

/** How an answer is shown: the axis of its chart, a goal, the unit and its decimals. */
export function DisplayFields({ display, onChange, isOverTime = false, hasGoal = false }: DisplayFieldsProps): ReactNode {
  const currentDisplay = display ?? {};
  return (
    <>
      {isOverTime && !CHARTS_FROM_ZERO.has(currentDisplay.chart) && (
        <FormSelect
          label="Axis"
          value={currentDisplay.axis ?? "auto"}
          options={AXES}
          onChange={(value) => onChange({ ...currentDisplay, axis: value === "zero" || value === "fit" ? value : null })}
        />
      )}
      <FormPair>
        <TextField label="Unit" placeholder="ms" maxLength={20} value={currentDisplay.unit ?? ""} onChange={(unit) => onChange({ ...currentDisplay, unit: unit === "" ? null : unit })} />
        <NumberField label="Decimals" min={0} max={10} value={currentDisplay.decimals ?? null} onChange={(decimals) => onChange({ ...currentDisplay, decimals })} />
      </FormPair>
      {hasGoal && <NumberField label="Goal" value={currentDisplay.goal ?? null} onChange={(goal) => onChange({ ...currentDisplay, goal })} />}
    </>
  );
}

/** Return whether anything is chosen of how an answer is shown, besides its chart and its colors. */
export function isDisplayChosen(display: Display | null | undefined): boolean {
  const { axis, decimals, goal, good, unit } = display ?? {};
  return [axis, decimals, goal, good, unit].some((value) => value !== null && value !== undefined);
}

type Good = Display["good"];

const GOOD = [
  { value: "up", label: "better" },
  { value: "down", label: "worse" },
  { value: "none", label: "neutral" },
] as const;

/** Whether more of something is better, which decides the color of a change. */
export function GoodField({ good, onChange }: { good: Good | undefined; onChange: (good: NonNullable<Good>) => void }): ReactNode {
  return (
    <FormLine words="More is">
      <Segmented label="More is" small value={good ?? "none"} options={GOOD} onChange={onChange} />
    </FormLine>
  );
}

export interface NumberFieldProps {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  hint?: string;
}

/** A field of a number; what is empty, out of bounds or no number is null. */
export function NumberField({ label, value, onChange, min, max, hint }: NumberFieldProps): ReactNode {
  const readText = (text: string): void => {
    const number = Number(text);
    const isNumber = text.trim() !== "" && Number.isFinite(number) && number >= (min ?? -Infinity) && number <= (max ?? Infinity);
    onChange(isNumber ? number : null);
  };
  return <TextField label={label} hint={hint} type="number" min={min} max={max} step={min === undefined ? "any" : 1} value={value === null ? "" : String(value)} onChange={readText} />;
}
