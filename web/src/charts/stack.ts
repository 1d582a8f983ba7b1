import type { Values } from "./series.ts";

/** A stacked series: for each moment, the end nearer to zero and the end away from it; null where it has no value. */
export interface Layer {
  inner: number[];
  outer: (number | null)[];
}

/** Stack series in their order, from zero upwards or, if they are negative, downwards. */
export function stackSeries(seriesValues: readonly Values[]): Layer[] {
  const length = Math.max(0, ...seriesValues.map((values) => values.length));
  const heightsUp = new Float64Array(length);
  const heightsDown = new Float64Array(length);
  return seriesValues.map((values) => {
    const inner: number[] = [];
    const outer: (number | null)[] = [];
    for (let index = 0; index < length; index += 1) {
      const value = values[index] ?? null;
      const heights = value !== null && value < 0 ? heightsDown : heightsUp;
      const base = heights[index] ?? 0;
      inner.push(base);
      outer.push(value === null ? null : base + value);
      heights[index] = base + (value ?? 0);
    }
    return { inner, outer };
  });
}
