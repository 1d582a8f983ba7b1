import type { components } from "../api/schema.gen.ts";
import type { SeriesColor } from "../charts/series.ts";
import { assignColors } from "../core/valueColors.ts";
import { labelValue } from "./words.ts";

/** How a widget is shown; a public page does not know the colors. */
export type MetricDisplay = Partial<components["schemas"]["DisplayOptions"]> | null | undefined;
type ColoredSeries = Pick<components["schemas"]["Series"], "label" | "kind" | "color">;

/** Return the colors of series in their order: those of a public answer, or else what the widget has saved and the rule. */
export function seriesColorsOf(series: readonly ColoredSeries[], display: MetricDisplay): SeriesColor[] {
  const colors = labelColorsOf(series, display);
  return series.map((part) => (part.kind === "other" ? "rest" : (part.color ?? colors.get(labelValue(part)) ?? 1)));
}

/** Return the color of each label, without other labels. */
export function labelColorsOf(series: readonly ColoredSeries[], display: MetricDisplay): Map<string, number> {
  const labels = series.filter(({ kind }) => kind !== "other").map(labelValue);
  return assignColors(labels, display?.colors ?? {});
}
