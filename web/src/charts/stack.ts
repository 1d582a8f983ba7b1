import type { Values } from "./series.ts";

/** A stacked series: for each moment, the end nearer to zero and the end away from it. */
export interface Layer {
  inner: number[];
  outer: number[];
}

/** Stack series in their order, from zero upwards or, if they are negative, downwards. */
export function stackSeries(all: readonly Values[]): Layer[] {
  const length = Math.max(0, ...all.map((values) => values.length));
  const up = new Float64Array(length);
  const down = new Float64Array(length);
  return all.map((values) => {
    const inner: number[] = [];
    const outer: number[] = [];
    for (let at = 0; at < length; at += 1) {
      const value = values[at] ?? 0;
      const heights = value < 0 ? down : up;
      const from = heights[at] ?? 0;
      inner.push(from);
      outer.push(from + value);
      heights[at] = from + value;
    }
    return { inner, outer };
  });
}
