/** What a step of a funnel counts. */
export interface StepCounts {
  count: number;
  /** How many of these still have time for the next step. */
  waiting: number;
}

/** Return how many of a step neither reached the next one nor still have time for it. */
export const stoppedCountOf = (step: StepCounts, nextStep: StepCounts): number => Math.max(step.count - nextStep.count - step.waiting, 0);

/** Units of one label at a step. */
export interface StepPart {
  label: string;
  count: number;
}

/**
 * Return the shares of a step that its labels take, in their order.
 *
 * A unit may have several labels: where they are more than the units, they share the bar in proportion.
 */
export function partSharesOf(count: number, parts: readonly StepPart[]): number[] {
  const whole = Math.max(count, parts.reduce((sum, part) => sum + part.count, 0));
  return parts.map((part) => (whole === 0 ? 0 : part.count / whole));
}
