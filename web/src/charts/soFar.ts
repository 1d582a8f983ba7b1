import type { Plot } from "./plot.ts";
import { type TimeLine, partInWords, wholeValuesOf } from "./series.ts";

/** The room of the words "so far", in pixels. */
export const SO_FAR_WIDTH = 42;
const HEIGHT = 16;
/** From the middle of a ring to the words. */
const APART = 7;

/** From the top of the plot, in pixels. */
interface Extent {
  from: number;
  to: number;
}

/** Return where "so far" stands: beside the values of the bucket that is not over, on no line or bar; null without room. */
export function placeSoFar(line: TimeLine, plot: Plot, shape: "line" | "area" | "bar"): { left: number; top: number } | null {
  const bucket = [...(line.partialBuckets ?? [])].find((position) => partInWords(line, position) === ", so far");
  const heights = bucket === undefined ? [] : heightsAt(line, plot, bucket);
  if (bucket === undefined || heights.length === 0) return null;
  const right = Math.min(plot.x(bucket) + (shape === "bar" ? plot.bandWidth / 2 : APART), plot.width + APART);
  const left = Math.max(right - SO_FAR_WIDTH, 0);
  // In an outline that is wide enough, the words cover nothing.
  const ownHeights = shape === "bar" && plot.bandWidth > SO_FAR_WIDTH ? [] : heights;
  const extents = [
    ...ownHeights.map((y) => ({ from: y - APART + 1, to: shape === "bar" ? plot.height : y + APART - 1 })),
    ...obstaclesIn(line, plot, shape, left, right),
  ];
  const isFree = (top: number): boolean =>
    top >= -HEIGHT / 2 && top + HEIGHT <= plot.height && extents.every(({ from, to }) => to <= top || from >= top + HEIGHT);
  const tops = [Math.min(...heights) - APART - HEIGHT, Math.max(...heights) + APART, 0, plot.height - HEIGHT];
  const top = tops.find(isFree);
  return top === undefined ? null : { left, top };
}

/** Return how far down the values of a bucket are, in pixels. */
function heightsAt({ series }: TimeLine, plot: Plot, bucket: number): number[] {
  return series.flatMap(({ values }, index) => {
    const value = values[bucket] ?? null;
    return value === null ? [] : [plot.y(plot.layers?.[index]?.outer[bucket] ?? value)];
  });
}

/** Return what lines, areas or bars take between two places: of a line, the heights between neighbouring points. */
function obstaclesIn(line: TimeLine, plot: Plot, shape: "line" | "area" | "bar", left: number, right: number): Extent[] {
  return line.series.flatMap(({ values }, index) => {
    const heights = wholeValuesOf(plot.layers?.[index]?.outer ?? values, line.partialBuckets).map((value) => (value === null ? null : plot.y(value)));
    return heights.flatMap((y, bucket): Extent[] => {
      const [nextX, nextY] = [plot.x(bucket + 1), heights[bucket + 1] ?? null];
      if (y === null || plot.x(bucket) > right || (nextY === null ? plot.x(bucket) : nextX) < left) return [];
      const lowestY = shape === "line" ? Math.max(y, nextY ?? y) : plot.height;
      return [{ from: Math.min(y, shape === "bar" ? y : (nextY ?? y)), to: lowestY }];
    });
  });
}
