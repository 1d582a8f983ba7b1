import type { Plot } from "../../charts/plot.ts";
import { powerOfTen } from "../../core/numbers.ts";
import { toSafeDigits } from "./safeDigits.ts";

/** The limits that a handle can be moved to: readable numbers, `step` apart. */
export interface LimitScale {
  lowest: number;
  highest: number;
  step: number;
  /** Return the limit nearest to a place, in pixels from the top of the plot. */
  limitAt: (y: number) => number;
  /** Return the limit some steps away from another one. */
  moveBy: (limit: number, stepCount: number) => number;
}

/** How many steps an axis has, at least. */
const MIN_STEP_COUNT = 100;

/** Return the limits that fit into a plot; of whole numbers, only whole ones. */
export function limitScaleOf({ y, height }: Pick<Plot, "y" | "height">, isWhole: boolean): LimitScale {
  const unit = visibleUnitOf(y);
  const valueAt = (place: number): number => ((place - y(0)) / (y(unit) - y(0))) * unit;
  const [lowestValue, highestValue] = [valueAt(height), valueAt(0)];
  const roundStep = roundDown((highestValue - lowestValue) / MIN_STEP_COUNT);
  const step = isWhole ? Math.max(roundStep, 1) : roundStep;
  const keepInside = (limit: number): number => Math.min(Math.max(limit, lowest), highest);
  const lowest = multipleOf(step, Math.ceil(lowestValue / step - 1e-6));
  const highest = multipleOf(step, Math.floor(highestValue / step + 1e-6));
  return {
    lowest,
    highest,
    step,
    limitAt: (place) => keepInside(multipleOf(step, Math.round(valueAt(place) / step))),
    moveBy: (limit, stepCount) => keepInside(multipleOf(step, (stepCount > 0 ? Math.floor(limit / step + 1e-6) : Math.ceil(limit / step - 1e-6)) + stepCount)),
  };
}

/** Return a power of ten from 1 on that is a pixel or more on an axis: less would be lost among rounding errors. */
function visibleUnitOf(y: Plot["y"]): number {
  let unit = 1;
  while (Math.abs(y(unit) - y(0)) < 1 && unit < Number.MAX_VALUE / 10) unit *= 10;
  return unit;
}

const multipleOf = (step: number, count: number): number => toSafeDigits(count * step);

/** Return the largest of 1, 2 and 5 times a power of ten that is not above a number. */
function roundDown(number: number): number {
  const power = powerOfTen(Math.floor(Math.log10(number)));
  const factor = [5, 2].find((candidate) => candidate * power <= number) ?? 1;
  return toSafeDigits(factor * power);
}
