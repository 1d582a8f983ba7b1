import type { Result } from "./definition.ts";
import { labelColorsOf, type MetricDisplay } from "./labelColors.ts";

/** As many colors of labels as a widget can save, and the longest label that can have one. */
const MAX_CHOSEN_COLORS = 50;
const MAX_LABEL_LENGTH = 256;

/**
 * Return a config that has saved the colors of the labels of an answer, as it shows them, so that they stay when other
 * labels come. Colors of labels that the answer does not have stay saved, as long as there is room.
 */
export function withColors<Config extends { display?: MetricDisplay }>(config: Config, answer: Result | undefined): Config {
  const series = answer?.kind === "multiseries" || answer?.kind === "funnel" ? answer.series : undefined;
  if (!series) return config;
  const shownColors = [...labelColorsOf(series, config.display)].filter(([label]) => Array.from(label).length <= MAX_LABEL_LENGTH);
  const colors = new Map([...shownColors, ...Object.entries(config.display?.colors ?? {})]);
  return { ...config, display: { ...config.display, colors: Object.fromEntries([...colors].slice(0, MAX_CHOSEN_COLORS)) } };
}
