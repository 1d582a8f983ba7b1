import { moveEntry } from "../../core/order.ts";
import type { Configs } from "../definition.ts";

type Config = Configs["funnel"];
type Step = Config["steps"][number];

export const MIN_STEPS = 2;
export const MAX_STEPS = 8;

/** Return a funnel with another step at a place. */
export const withStep = (config: Config, index: number, step: Step): Config => ({ ...config, steps: config.steps.with(index, step) });

/** Return a funnel with one more step at its end. */
export const withNewStep = (config: Config, step: Step): Config => ({ ...config, steps: [...config.steps, step] });

/** Return a funnel with a step at another place; events stay excluded between the same places. */
export const withStepMoved = (config: Config, fromIndex: number, toIndex: number): Config => ({ ...config, steps: moveEntry(config.steps, fromIndex, toIndex) });

/** Return a funnel without a step; events stay excluded only between steps that are left. */
export function withoutStep(config: Config, index: number): Config {
  const steps = config.steps.toSpliced(index, 1);
  const { exclude = [] } = config;
  const leftExclusions = exclude.filter(({ between: [, to] }) => to <= steps.length);
  return { ...config, steps, ...(leftExclusions.length < exclude.length ? { exclude: leftExclusions } : {}) };
}
