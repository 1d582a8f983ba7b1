import type { SeriesColor } from "./series.ts";

/** The steps of the magnitude ramp, from little to much. */
export const RAMP_STEPS = 9;
const STEP_SHARES = [0.05, 0.1, 0.17, 0.25, 0.4, 0.55, 0.7, 0.85];
const LAST_LIGHT_STEP = 5;
const ROUNDING_MARGIN = 1e-12;
const MAX_SOLID_SERIES = 4;
const DASHES = ["6 4", "2 4", "8 3 2 3", "10 3"];

/** Return the color of a series as a CSS variable. */
export const seriesColor = (color: SeriesColor = 1): string => (color === "rest" ? "var(--rest)" : `var(--s${color})`);

/** Return the dashes of a line: beside more than three others, half of the colors have some. */
export function seriesDashes(color: SeriesColor | undefined, seriesCount: number): string | undefined {
  if (color === undefined || color === "rest" || seriesCount <= MAX_SOLID_SERIES) return undefined;
  return DASHES[color - 1 - MAX_SOLID_SERIES];
}

/** Return the color of a step of the ramp, 1 to 9, and of words on it. */
export function rampColors(step: number): { background: string; color: string } {
  return { background: `var(--r${step})`, color: step <= LAST_LIGHT_STEP ? "var(--ramp-lo)" : "var(--ramp-hi)" };
}

/** Return the step of a share of a whole, which means the same in every chart. */
export const shadeOfShare = (share: number): number => 1 + STEP_SHARES.filter((from) => share >= from).length;

/** Return the step of a count beside the highest one; only nothing has the first step. */
export function shadeOfCount(count: number, maxCount: number): number {
  if (count <= 0 || maxCount <= 0) return 1;
  const step = Math.trunc((RAMP_STEPS - 1) * (count / maxCount) * (1 - ROUNDING_MARGIN));
  return 2 + Math.min(step, RAMP_STEPS - 2);
}
