import { powerOfTen } from "../core/numbers.ts";

/** A linear mapping from values to a share of the plot, from 0 to 1. */
export type Scale = (value: number) => number;

/** Map `low` to 0 and `high` to 1; a value that never changes is in the middle. */
export function linearScale(low: number, high: number): Scale {
  const halfExtent = high / 2 - low / 2;
  return halfExtent === 0 ? () => 0.5 : (value) => (value / 2 - low / 2) / halfExtent;
}

const MAX_MAGNIFICATION = 5;

/** Return true if differences on an axis look more than five times as large as they would on one from zero. */
export const isMagnified = (low: number, high: number): boolean =>
  (low > 0 || high < 0) && Math.max(Math.abs(low), Math.abs(high)) > MAX_MAGNIFICATION * (high - low);

/** The labelled values of an axis, `step` apart; the axis extends from the first to the last. */
export interface ValueTicks {
  values: number[];
  step: number;
}

const STEPS = [1, 2, 2.5, 5, 10] as const;
const ZERO_FROM = 0.35;
const HUGE = 1e300;
const SHRINK = 1e10;
const NOTHING = 1e-300;
const FLAT_ULPS = 16;
const BLUR_ULPS = 4;

/**
 * Return round values that enclose `lowest` to `highest`: at most `maxTicks`, if those can enclose them. A value that never
 * changes is in the middle; if values span much of their size, the axis includes zero.
 *
 * @param isWhole only whole numbers
 */
export function valueTicks(lowest: number, highest: number, maxTicks: number, isWhole = false): ValueTicks {
  const largest = Math.max(Math.abs(lowest), Math.abs(highest));
  if (largest > HUGE) return shrunkenTicks(lowest, highest, maxTicks);
  if (largest < NOTHING) return { values: [0, 1], step: 1 };
  const [low, high] = domainOf(lowest, highest);
  const maxCount = Math.max(maxTicks, low < 0 && high > 0 ? 3 : 2);
  const blur = BLUR_ULPS * ulp(Math.max(Math.abs(low), Math.abs(high)));
  let step = roundStep((high - low - blur) / (maxCount - 1), isWhole);
  for (;;) {
    const tolerance = Math.max(1e-9, blur / step);
    const firstStep = Math.floor(low / step + tolerance);
    const count = Math.ceil(high / step - tolerance) - firstStep + 1;
    if (count <= maxCount) return { values: Array.from({ length: count }, (_, index) => (firstStep + index) * step), step };
    step = roundStep(step * 1.01, isWhole);
  }
}

/** Return ticks of values so large that doubling them would overflow. */
function shrunkenTicks(lowest: number, highest: number, maxTicks: number): ValueTicks {
  const { values, step } = valueTicks(lowest / SHRINK, highest / SHRINK, maxTicks);
  const enlarge = (value: number): number => Math.min(Math.max(value * SHRINK, -Number.MAX_VALUE), Number.MAX_VALUE);
  return { values: values.map(enlarge), step: enlarge(step) };
}

function domainOf(low: number, high: number): [number, number] {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= FLAT_ULPS * ulp(largest)) {
    const [lower, upper] = [low - largest, high + largest];
    return [low > 0 ? Math.max(lower, 0) : lower, high < 0 ? Math.min(upper, 0) : upper];
  }
  if (high / largest - low / largest >= ZERO_FROM) return [Math.min(low, 0), Math.max(high, 0)];
  return [low, high];
}

/** Return the smallest round step that is at least `minStep`. */
function roundStep(minStep: number, isWhole: boolean): number {
  const minimum = isWhole ? Math.max(minStep, 1) : minStep;
  if (minimum <= 0) return Math.max(Math.abs(minimum), Number.MIN_VALUE);
  const power = powerOfTen(Math.max(Math.floor(Math.log10(minimum)), -307));
  const steps = STEPS.map((step) => step * power).filter((step) => !isWhole || Number.isInteger(step));
  return steps.find((step) => step >= minimum * (1 - 1e-9)) ?? 10 * power;
}

/** Return the distance from a number to the next larger one. */
const ulp = (value: number): number => Math.max(2 ** (Math.floor(Math.log2(value)) - 52), Number.MIN_VALUE);
