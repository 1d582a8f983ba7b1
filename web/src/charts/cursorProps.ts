import type { Plot } from "./plot.ts";
import type { TimeLine } from "./series.ts";
import type { BucketSpan } from "./useBrush.ts";

/** What the cursor of a chart and its tooltip know. */
export interface CursorProps {
  plot: Plot;
  line: TimeLine;
  /** The position of each drawn series among all. */
  positions: readonly number[];
  label: string;
  describedBy: string;
  format: (value: number | null) => string;
  nameOfTime: (time: number) => string;
  good?: "up" | "down" | "none" | null | undefined;
  onPoint?: ((bucket: number, series: number | null) => void) | undefined;
  onAnnotate?: ((time: number) => void) | undefined;
  onSelect?: ((span: BucketSpan) => void) | undefined;
}
