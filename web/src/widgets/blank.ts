import type { Result } from "./definition.ts";

/** The one thing that may fill a card without anything to show. */
export interface Remedy {
  label: string;
  run: () => void;
}

/** Return whether an answer has nothing to draw: a zero is an answer, no rows are none. */
export function isBlank(answer: Result): boolean {
  switch (answer.kind) {
    case "categorical":
      return answer.rows.length === 0;
    case "table":
      return answer.rows.length === 0 && answer.rowsWithheld !== true;
    case "multiseries":
      return answer.series.length === 0;
    case "histogram":
      return answer.buckets.length === 0;
    case "retention":
      return answer.cohorts.every(({ size }) => size === 0);
    default:
      return false;
  }
}
