import { stoppedCountOf } from "../../charts/funnelSteps.ts";
import { formatExact, formatPercent } from "../../core/numbers.ts";
import type { Answers, DataTable } from "../definition.ts";

type Answer = Answers["funnel"];
type Step = Answer["steps"][number];

/** Where most of a funnel's units stop. */
export interface Stop {
  /** The step that they reached last, from 0. */
  index: number;
  /** How many reached it, and how many of these stopped there. */
  count: number;
  stoppedCount: number;
  /** Of each label, the most first: how many stopped there, and of those who reached it the share that went on. */
  parts: { label: string; stoppedCount: number; count: number; rate: number }[];
}

/** A rate of fewer units says nothing. */
const MIN_UNITS = 5;

/** Return where the most units stop; null where none does. */
export function largestStop({ steps, series = [] }: Answer): Stop | null {
  const stops = steps.slice(0, -1).map((step, index) => ({ index, count: step.count, stoppedCount: stoppedAt(steps, index) }));
  const [stop] = stops.toSorted((one, other) => other.stoppedCount - one.stoppedCount);
  if (!stop || stop.stoppedCount === 0) return null;
  const parts = series.map(({ label, steps: ownSteps }) => ({
    label,
    stoppedCount: stoppedAt(ownSteps, stop.index),
    count: ownSteps[stop.index]?.count ?? 0,
    rate: ownSteps[stop.index + 1]?.stepRate ?? 0,
  }));
  return { ...stop, parts: parts.filter((part) => part.stoppedCount > 0).toSorted((one, other) => other.stoppedCount - one.stoppedCount) };
}

function stoppedAt(steps: readonly Step[], index: number): number {
  const [step, nextStep] = [steps[index], steps[index + 1]];
  return step && nextStep ? stoppedCountOf(step, nextStep) : 0;
}

/** Say where a funnel stops: "28 of 56 stopped, 19 of them on free. Of free, 5 % go on; of pro, 80 %." */
export function stopInWords({ count, stoppedCount, parts }: Stop): string {
  const words = `${formatExact(stoppedCount)} of ${formatExact(count)} stopped`;
  const [firstPart] = parts;
  if (!firstPart) return `${words}.`;
  const comparableParts = parts.filter((part) => part.count >= MIN_UNITS).toSorted((one, other) => one.rate - other.rate);
  const [worstPart, bestPart] = [comparableParts[0], comparableParts.at(-1)];
  const comparison = worstPart && bestPart && worstPart !== bestPart ? ` Of ${worstPart.label}, ${formatPercent(worstPart.rate)} go on; of ${bestPart.label}, ${formatPercent(bestPart.rate)}.` : "";
  return `${words}, ${formatExact(firstPart.stoppedCount)} of them on ${firstPart.label}.${comparison}`;
}

/** Return how many units of each label began, and of each further step the share of the step before. */
export function ratesTable({ series = [] }: Answer, names: readonly string[], breakdown: string): DataTable {
  return {
    columns: [{ label: breakdown, numeric: false }, ...names.map((label) => ({ label, numeric: true }))],
    rows: series.map(({ label, steps }) => [label, ...steps.map((step, index) => rateInWords(step, steps[index - 1]))]),
  };
}

function rateInWords(step: Step, previousStep: Step | undefined): string {
  if (!previousStep) return formatExact(step.count);
  return previousStep.count < MIN_UNITS ? "too few" : formatPercent(step.stepRate);
}
