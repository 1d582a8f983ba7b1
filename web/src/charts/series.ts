/** The values of a time line, one for each moment; null where there is none. */
export type Values = readonly (number | null)[];

/** The color of a series: 1 to 8, or the grey of what the others leave over. */
export type SeriesColor = number | "rest";

/** One series of a chart over time. */
export interface ChartSeries {
  /** What the legend calls it. */
  name: string;
  values: Values;
  /** The values of the other window, which match by position. */
  compared?: Values | undefined;
  /** The number of the whole window, for the legend; null where there is no such number. */
  total: number | null;
  /** The same number of the other window. */
  comparedTotal?: number | null | undefined;
  /** 1 unless given. */
  color?: SeriesColor | undefined;
}

/** Series that share their moments. */
export interface TimeLine {
  /** The moments in milliseconds since 1970, in ascending order. */
  times: readonly number[];
  /** The moments of the other window. */
  comparedTimes?: readonly number[] | undefined;
  series: readonly ChartSeries[];
  /** The first and the last moment of the axis; those of the data unless given. Bars have no other. */
  timeSpan?: readonly [number, number] | undefined;
  /** The positions of buckets of which the window has only a part, or that are not over; none unless given. */
  partialBuckets?: ReadonlySet<number> | undefined;
  /** The window has ended within the last of these buckets, so that it, too, is only cut; false unless given. */
  isOver?: boolean | undefined;
  /** The same positions in the other window. */
  comparedPartialBuckets?: ReadonlySet<number> | undefined;
}

/** Return the positions of the points whose values are of only a part of their bucket. */
export function partialBucketsOf(points: readonly { partial?: boolean }[]): ReadonlySet<number> {
  return new Set(points.flatMap(({ partial }, bucket) => (partial ? [bucket] : [])));
}

/** Return whether the window of some points has ended within a bucket. */
export const isWindowOver = (points: readonly { cut?: boolean }[]): boolean => points.some(({ cut }) => cut === true);

/** Return values with null for those of only a part of their bucket. */
export function wholeValuesOf(values: Values, partialBuckets: ReadonlySet<number> | undefined): Values {
  return partialBuckets?.size ? values.map((value, bucket) => (partialBuckets.has(bucket) ? null : value)) : values;
}

/** Say of what part of a bucket its values are: ", partial" of one that the window cuts, ", so far" of one that is not over. */
export function partInWords({ times, partialBuckets, isOver = false }: TimeLine, bucket: number): string {
  return partialBuckets?.has(bucket) ? partWords(bucket, times.length, isOver) : "";
}

/** Return the words of a partial bucket: the first of several is cut, any other is not over unless the window is. */
export function partWords(bucket: number, bucketCount: number, isOver: boolean): string {
  return isOver || (bucket === 0 && bucketCount > 1) ? ", partial" : ", so far";
}

/** A mark on the time line. */
export interface Mark {
  id: string;
  label: string;
  description: string | null;
  color: string;
  /** In milliseconds since 1970. */
  time: number;
  timeEnd: number | null;
  /** How many things it stands for; one unless given. */
  count?: number | undefined;
  /** What several of them are called; annotations unless given. */
  plural?: string | undefined;
  /** Its line ends at the top of the plot, so that it does not cover the value that it marks. */
  isShort?: true | undefined;
}

/** Return the least and the greatest of all values; null if there is none. */
export function extent(allValues: readonly Values[]): [number, number] | null {
  let least = Infinity;
  let greatest = -Infinity;
  for (const values of allValues) {
    for (const value of values) {
      if (value === null) continue;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
  }
  return least <= greatest ? [least, greatest] : null;
}
