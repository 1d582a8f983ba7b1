import type { Plot } from "./plot.ts";
import { type TimeLine, partInWords, wholeValuesOf } from "./series.ts";

/** Half of the room of the words "so far", in pixels. */
const SO_FAR_REACH = 16;
const HEIGHT = 16;
/** From the middle of a ring to the words. */
const APART = 7;
/** What a ring, or the dot at the end of a line, takes around its middle. */
const RADIUS = 6;

/** From the top of the plot, in pixels. */
interface Extent {
  from: number;
  to: number;
}

/**
 * Return where "so far" stands: above or below the values of the bucket that is not over, on no line or bar; null without room.
 * `left` is their middle: at the end of a line, half of them is beside the plot.
 */
export function placeSoFar(line: TimeLine, plot: Plot, shape: "line" | "area" | "bar"): { left: number; top: number } | null {
  const bucket = [...(line.partialBuckets ?? [])].find((position) => partInWords(line, position) === ", so far");
  if (bucket === undefined) return null;
  const heights = heightsAt(line, plot, bucket);
  const left = Math.max(plot.x(bucket), SO_FAR_REACH);
  // In an outline that is wide enough, the words cover nothing.
  const ownHeights = shape === "bar" && plot.bandWidth > SO_FAR_REACH * 2 ? [] : heights;
  const extents = [
    ...ownHeights.map((y) => ({ from: y - RADIUS, to: shape === "bar" ? plot.height : y + RADIUS })),
    ...obstaclesIn(line, plot, shape, left - SO_FAR_REACH, left + SO_FAR_REACH),
  ];
  const isFree = (top: number): boolean =>
    top >= -HEIGHT / 2 && top + HEIGHT <= plot.height && extents.every(({ from, to }) => to <= top || from >= top + HEIGHT);
  const top = [Math.min(...heights) - APART - HEIGHT, Math.max(...heights) + APART].find(isFree);
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
      const otherY = shape === "bar" ? y : (nextY ?? y);
      return [{ from: Math.min(y, otherY) - RADIUS, to: shape === "line" ? Math.max(y, otherY) + RADIUS : plot.height }];
    });
  });
}
