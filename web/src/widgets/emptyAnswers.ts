import type { Result } from "./definition.ts";

/** The one thing that may fill a card without anything to show. */
export interface Remedy {
  label: string;
  run: () => void;
}

/** Return whether a time line has no value at all. */
const areBlank = (points: readonly { value: number | null }[]): boolean => points.every(({ value }) => value === null);

/** Return whether an answer has nothing to draw: a zero is an answer, no rows and no values are none. */
export function isBlank(answer: Result): boolean {
  switch (answer.kind) {
    case "categorical":
      return answer.rows.length === 0;
    case "table":
      return answer.rows.length === 0 && answer.rowsWithheld !== true;
    case "timeseries":
      return areBlank(answer.points);
    case "multiseries":
      return answer.series.every(({ points }) => areBlank(points));
    case "histogram":
      return answer.buckets.length === 0;
    case "retention":
      return answer.cohorts.every(({ size }) => size === 0);
    default:
      return false;
  }
}

/** Say why a blank answer is so, as far as it tells. */
export function blankReason(answer: Result): string {
  const hasBuckets = answer.kind === "timeseries" || (answer.kind === "multiseries" && answer.series.length > 0);
  return hasBuckets ? "No event has a value to measure." : "No events match this widget.";
}

/** Return whether all numbers of an answer are 0 or missing; null if it has none that the events decide. */
export function isAllZero(answer: Result): boolean | null {
  switch (answer.kind) {
    case "counter":
      return !answer.value;
    case "kpi":
      return answer.items.every(({ value }) => !value);
    case "timeseries":
      return answer.points.every(({ value }) => !value);
    case "categorical":
      return answer.rows.every(({ value }) => !value);
    case "multiseries":
      return answer.series.every(({ points }) => points.every(({ value }) => !value));
    case "funnel":
      return answer.steps.every(({ count }) => count === 0);
    case "heatmap":
      return answer.cells.every((day) => day.every((count) => !count));
    case "table":
    case "histogram":
    case "retention":
      return isBlank(answer);
    default:
      return null;
  }
}

/** Return whether an answer would draw axes around zeros only because the event that it counts never came. */
export function isUnseen(answer: Result): boolean {
  const hasAxes = answer.kind !== "counter" && answer.kind !== "kpi";
  return hasAxes && (answer.notices ?? []).some(({ code }) => code === "unknown_event") && isAllZero(answer) === true;
}
