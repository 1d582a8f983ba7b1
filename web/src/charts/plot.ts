import { dateMinute } from "../core/time.ts";
import { isMagnified, linearScale, valueTicks } from "./scale.ts";
import { extent, type TimeLine, type Values } from "./series.ts";
import { stackSeries, type Layer } from "./stack.ts";
import { timeTicks, valueLabels } from "./ticks.ts";

/** How a chart over time is drawn. */
export interface PlotOptions {
  shape: "line" | "area" | "bar";
  isStacked: boolean;
  /** `zero` shows zero, `fit` fits the values; null decides by the values. */
  axis: "zero" | "fit" | null;
  zone: string;
  /** Values that the axis must reach, such as those of thresholds. */
  reachedValues: readonly number[];
}

/** A word on an axis: where it stands as a share of the plot, and whether it begins, centers or ends there. */
export interface AxisLabel {
  share: number;
  label: string;
  align: "start" | "middle" | "end";
}

/** A plot of a size: its axes, and where things stand in it. */
export interface Plot {
  width: number;
  height: number;
  /** Room for the labels of values, in pixels. */
  gutter: number;
  valueLabels: AxisLabel[];
  momentLabels: AxisLabel[];
  /** The horizontal place of a bucket in pixels; of bars, its middle. */
  x: (position: number) => number;
  y: (value: number) => number;
  /** The place of any moment in pixels; null outside of the plot. */
  xOfTime: (time: number) => number | null;
  /** The bucket nearest to a place. */
  nearestBucket: (x: number) => number;
  /** The room of one bar. */
  bandWidth: number;
  hasZero: boolean;
  /** The end of the value axis at which values up to zero are left out, if differences look much larger for it. */
  cutEnd: "bottom" | "top" | null;
  layers: Layer[] | null;
}

const PX_PER_VALUE = 30;
const PX_PER_MOMENT = 84;
const MAX_VALUES = 6;
const MAX_MOMENTS = 8;
const LETTER_WIDTH = 6.9;
const BESIDE = 8;
/** Of the axis. */
const HEADROOM_SHARE = 0.12;
const APART = 10;

/** Return the plot of a time line in a room of `width` × `height` pixels. */
export function plotOf(line: TimeLine, options: PlotOptions, width: number, height: number): Plot {
  const isBar = options.shape === "bar";
  const isArea = options.shape === "area" && options.isStacked && line.series.length > 1;
  const layers = isBar || isArea ? stackSeries(line.series.map(({ values }) => values)) : null;
  const [lowest, highest] = valueRangeOf(line, layers, options);
  const maxTicks = Math.min(Math.max(Math.floor(height / PX_PER_VALUE) + 1, 2), MAX_VALUES);
  const ticks = valueTicks(lowest, highest, maxTicks, isWhole(line));
  const [low, high] = [ticks.values[0] ?? 0, ticks.values.at(-1) ?? 1];
  const shareOf = linearScale(low, high);
  const labels = valueLabels(ticks);
  const columns = columnsOf(line, isBar, width);
  return {
    ...columns,
    width,
    height,
    gutter: Math.ceil(Math.max(...labels.map((label) => label.length)) * LETTER_WIDTH) + BESIDE,
    valueLabels: ticks.values.map((value, index) => ({ share: 1 - shareOf(value), label: labels[index] ?? "", align: "end" })),
    momentLabels: momentLabels(spanOf(line, isBar), columns.xOfTime, width, options.zone),
    y: (value) => (1 - shareOf(value)) * height,
    hasZero: low <= 0 && high >= 0,
    cutEnd: isMagnified(low, high) ? (low > 0 ? "bottom" : "top") : null,
    layers,
  };
}

type Columns = Pick<Plot, "x" | "xOfTime" | "nearestBucket" | "bandWidth">;

/** Return the first and the last moment of the axis; null without any. */
function spanOf({ times, timeSpan }: TimeLine, isBar: boolean): readonly [number, number] | null {
  const [firstTime, lastTime] = [times[0], times.at(-1)];
  if (firstTime === undefined || lastTime === undefined) return null;
  return isBar || !timeSpan ? [firstTime, lastTime] : timeSpan;
}

/** Place buckets from left to right: lines by their moments, bars each in a room of its own. */
function columnsOf(line: TimeLine, isBar: boolean, width: number): Columns {
  const { times } = line;
  const bucketCount = Math.max(times.length, 1);
  const [startTime, endTime] = spanOf(line, isBar) ?? [0, 0];
  const shareOfTime = linearScale(startTime, endTime);
  const bandWidth = width / bucketCount;
  const barMiddle = (position: number): number => (position + 0.5) * bandWidth;
  const x = isBar ? barMiddle : (position: number): number => shareOfTime(times[position] ?? startTime) * width;
  return {
    x,
    bandWidth,
    xOfTime: (time) => {
      if (times.length === 0 || time < startTime || time > endTime + lastStepMs(times)) return null;
      // The last bucket goes on after the last point of a line: what happened in it stands at its point.
      return isBar ? barMiddle(lastNotAfter(times, time)) : Math.min(shareOfTime(time), 1) * width;
    },
    nearestBucket: (px) => {
      if (isBar) return Math.min(Math.max(Math.floor(px / bandWidth), 0), bucketCount - 1);
      const bucketBefore = lastNotAfter(times, startTime + (px / Math.max(width, 1)) * (endTime - startTime));
      const bucketAfter = Math.min(bucketBefore + 1, bucketCount - 1);
      return px - x(bucketBefore) <= x(bucketAfter) - px ? bucketBefore : bucketAfter;
    },
  };
}

/** Return the position of the last moment that is not after a time; the first if all are. */
export function lastNotAfter(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

function lastStepMs(times: readonly number[]): number {
  return times.length > 1 ? (times.at(-1) ?? 0) - (times.at(-2) ?? 0) : 0;
}

function valueRangeOf(line: TimeLine, layers: Layer[] | null, { axis, shape, reachedValues }: PlotOptions): [number, number] {
  const mainValues: Values[] = layers ? layers.map(({ outer }) => outer) : line.series.map(({ values }) => values);
  const comparedValues = line.series.flatMap((series) => (series.compared ? [series.compared] : []));
  const zeroValues = axis === "zero" || shape !== "line" ? [0] : [];
  const [lowest, highest] = extent([...mainValues, ...comparedValues, [...reachedValues, ...zeroValues]]) ?? [0, 1];
  return [lowest, Math.max(highest, roomAbove(reachedValues, lowest, highest))];
}

/** Return how far an axis reaches above thresholds, so that their words have room; thresholds too large for it need none. */
function roomAbove(thresholds: readonly number[], lowest: number, highest: number): number {
  const highestThreshold = Math.max(...thresholds);
  return highestThreshold > Number.MAX_SAFE_INTEGER ? highestThreshold : highestThreshold + (highest / 2 - lowest / 2) * HEADROOM_SHARE * 2;
}

/** Return true if no value has decimals, so that no label may have any. */
function isWhole({ series }: TimeLine): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));
}

/** Label as many moments as stand apart; at least the first, if there is room for no other. */
function momentLabels(
  timeSpan: readonly [number, number] | null,
  xOfTime: (time: number) => number | null,
  width: number,
  zone: string,
): AxisLabel[] {
  if (timeSpan === null || width <= 0) return [];
  const [startTime, endTime] = timeSpan;
  for (let maxTicks = Math.min(Math.max(Math.floor(width / PX_PER_MOMENT), 1), MAX_MOMENTS); maxTicks > 0; maxTicks -= 1) {
    const ticks = timeTicks(startTime / 1_000, endTime / 1_000, maxTicks, zone).flatMap(({ seconds, label }) => {
      const x = xOfTime(seconds * 1_000);
      return x === null ? [] : [{ x, label }];
    });
    const labels = ticks.map(({ x, label }) => alignLabel(x, label, width));
    if (labels.length > 0 && areApart(labels)) return labels.map(({ share, label, align }) => ({ share, label, align }));
  }
  return [{ share: (xOfTime(startTime) ?? 0) / width, label: dateMinute(startTime, zone).replace(", 00:00", "").replace(",", ""), align: "start" }];
}

interface PlacedLabel extends AxisLabel {
  from: number;
  to: number;
}

/** Center a label below its place, or keep it inside the plot. */
function alignLabel(x: number, label: string, width: number): PlacedLabel {
  const labelWidth = label.length * (LETTER_WIDTH - 0.7);
  if (x - labelWidth / 2 < -BESIDE) return { share: 0, label, align: "start", from: 0, to: labelWidth };
  if (x + labelWidth / 2 > width + BESIDE) return { share: 1, label, align: "end", from: width - labelWidth, to: width };
  return { share: x / width, label, align: "middle", from: x - labelWidth / 2, to: x + labelWidth / 2 };
}

function areApart(labels: readonly PlacedLabel[]): boolean {
  return labels.every(({ from }, index) => from >= (labels[index - 1]?.to ?? -Infinity) + APART);
}
