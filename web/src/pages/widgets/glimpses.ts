import type { Values } from "../../charts/series.ts";
import type { Result } from "../../widgets/definition.ts";

/** Return the values over time that an answer has, series by series; null if it has none. */
export function lineGlimpses(answer: Result | undefined): Values[] | null {
  switch (answer?.kind) {
    case "timeseries":
      return [valuesOf(answer.points)];
    case "multiseries":
      return answer.series.length > 0 ? answer.series.map(({ points }) => valuesOf(points)) : null;
    case "kpi": {
      const points = answer.items[0]?.points;
      return points ? [valuesOf(points)] : null;
    }
    default:
      return null;
  }
}

/** Return the values of whole buckets, as a part of one would look like a fall; of all where none is whole. */
function valuesOf(points: readonly { value: number | null; partial?: boolean | null }[]): Values {
  const wholePoints = points.filter(({ partial }) => !partial);
  return (wholePoints.length > 0 ? wholePoints : points).map(({ value }) => value);
}

/** Return the values of the labels of an answer, the largest first; null if it has none. */
export function rankGlimpses(answer: Result | undefined): number[] | null {
  const values = labelValues(answer).flatMap((value) => (value && value > 0 ? [value] : []));
  return values.length > 0 ? values.toSorted((left, right) => right - left) : null;
}

function labelValues(answer: Result | undefined): (number | null | undefined)[] {
  switch (answer?.kind) {
    case "categorical":
      return answer.rows.map(({ value }) => value);
    case "multiseries":
      return answer.series.map(({ total }) => total);
    default:
      return [];
  }
}

/** Return the one number of an answer; null if it has none. */
export function numberGlimpse(answer: Result | undefined): number | null {
  switch (answer?.kind) {
    case "counter":
      return answer.value;
    case "timeseries":
      return answer.total ?? null;
    case "kpi":
      return answer.items[0]?.value ?? null;
    default:
      return null;
  }
}

/** Return the values of all series of a time line, added up bucket by bucket. */
export const bucketSums = (lines: readonly Values[]): number[] =>
  (lines[0] ?? []).map((_, bucket) => lines.reduce((sum, values) => sum + (values[bucket] ?? 0), 0));
