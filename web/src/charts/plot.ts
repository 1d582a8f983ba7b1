import { dateMinute } from "../core/time.ts";
import { linear, valueTicks } from "./scale.ts";
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
  reach: readonly number[];
}

/** A word on an axis: where it stands as a share of the plot, and whether it begins, centers or ends there. */
export interface AxisLabel {
  at: number;
  label: string;
  align: "start" | "middle" | "end";
}

/** A plot of a size: its axes, and where things stand in it. */
export interface Plot {
  width: number;
  height: number;
  /** Room for the labels of values, in pixels. */
  gutter: number;
  values: AxisLabel[];
  moments: AxisLabel[];
  /** The horizontal place of a bucket in pixels; of bars, its middle. */
  x: (position: number) => number;
  y: (value: number) => number;
  /** The place of any moment in pixels; null outside of the plot. */
  xOf: (time: number) => number | null;
  /** The bucket nearest to a place. */
  nearest: (x: number) => number;
  /** The room of one bar. */
  band: number;
  hasZero: boolean;
  layers: Layer[] | null;
}

const PER_VALUE = 30;
const PER_MOMENT = 84;
const MAX_VALUES = 6;
const MAX_MOMENTS = 8;
const LETTER = 6.9;
const BESIDE = 8;
const APART = 10;

/** Return the plot of a time line in a room of `width` × `height` pixels. */
export function plotOf(line: TimeLine, options: PlotOptions, width: number, height: number): Plot {
  const isBar = options.shape === "bar";
  const isArea = options.shape === "area" && options.isStacked && line.series.length > 1;
  const layers = isBar || isArea ? stackSeries(line.series.map(({ values }) => values)) : null;
  const [least, greatest] = reachOf(line, layers, options);
  const maxTicks = Math.min(Math.max(Math.floor(height / PER_VALUE) + 1, 2), MAX_VALUES);
  const ticks = valueTicks(least, greatest, maxTicks, isWhole(line));
  const [low, high] = [ticks.values[0] ?? 0, ticks.values.at(-1) ?? 1];
  const share = linear(low, high);
  const labels = valueLabels(ticks);
  const across = columnsOf(line.times, isBar, width);
  return {
    ...across,
    width,
    height,
    gutter: Math.ceil(Math.max(...labels.map((label) => label.length)) * LETTER) + BESIDE,
    values: ticks.values.map((value, index) => ({ at: 1 - share(value), label: labels[index] ?? "", align: "end" })),
    moments: momentLabels(line.times, across.xOf, width, options.zone),
    y: (value) => (1 - share(value)) * height,
    hasZero: low <= 0 && high >= 0,
    layers,
  };
}

type Across = Pick<Plot, "x" | "xOf" | "nearest" | "band">;

/** Place buckets from left to right: lines from end to end, bars each in a room of its own. */
function columnsOf(times: readonly number[], isBar: boolean, width: number): Across {
  const count = Math.max(times.length, 1);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const scale = linear(first, last);
  const band = width / count;
  const inBar = (position: number): number => (position + 0.5) * band;
  const x = isBar ? inBar : (position: number): number => scale(times[position] ?? first) * width;
  return {
    x,
    band,
    xOf: (time) => {
      if (times.length === 0 || time < first || time > last + step(times)) return null;
      // The last bucket goes on after the last point of a line: what happened in it stands at its point.
      return isBar ? inBar(lastNotAfter(times, time)) : Math.min(scale(time), 1) * width;
    },
    nearest: (at) => {
      if (isBar) return Math.min(Math.max(Math.floor(at / band), 0), count - 1);
      const before = lastNotAfter(times, first + (at / Math.max(width, 1)) * (last - first));
      const after = Math.min(before + 1, count - 1);
      return at - x(before) <= x(after) - at ? before : after;
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

function step(times: readonly number[]): number {
  return times.length > 1 ? (times.at(-1) ?? 0) - (times.at(-2) ?? 0) : 0;
}

function reachOf(line: TimeLine, layers: Layer[] | null, { axis, shape, reach }: PlotOptions): [number, number] {
  const mainValues: Values[] = layers ? layers.map(({ outer }) => outer) : line.series.map(({ values }) => values);
  const comparedValues = line.series.flatMap((series) => (series.compared ? [series.compared] : []));
  const zero = axis === "zero" || shape !== "line" ? [0] : [];
  return extent([...mainValues, ...comparedValues, [...reach, ...zero]]) ?? [0, 1];
}

/** Return true if no value has decimals, so that no label may have any. */
function isWhole({ series }: TimeLine): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));
}

/** Label as many moments as stand apart; at least the first, if there is room for no other. */
function momentLabels(
  times: readonly number[],
  xOf: (time: number) => number | null,
  width: number,
  zone: string,
): AxisLabel[] {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || width <= 0) return [];
  for (let maxTicks = Math.min(Math.max(Math.floor(width / PER_MOMENT), 1), MAX_MOMENTS); maxTicks > 0; maxTicks -= 1) {
    const ticks = timeTicks(first / 1_000, last / 1_000, maxTicks, zone).flatMap(({ at, label }) => {
      const x = xOf(at * 1_000);
      return x === null ? [] : [{ x, label }];
    });
    const labels = ticks.map(({ x, label }) => alignLabel(x, label, width));
    if (labels.length > 0 && areApart(labels)) return labels.map(({ at, label, align }) => ({ at, label, align }));
  }
  return [{ at: (xOf(first) ?? 0) / width, label: dateMinute(first, zone).replace(", 00:00", ""), align: "start" }];
}

interface Placed extends AxisLabel {
  from: number;
  to: number;
}

/** Center a label below its place, or keep it inside the plot. */
function alignLabel(x: number, label: string, width: number): Placed {
  const wide = label.length * (LETTER - 0.7);
  if (x - wide / 2 < -BESIDE) return { at: 0, label, align: "start", from: 0, to: wide };
  if (x + wide / 2 > width + BESIDE) return { at: 1, label, align: "end", from: width - wide, to: width };
  return { at: x / width, label, align: "middle", from: x - wide / 2, to: x + wide / 2 };
}

function areApart(labels: readonly Placed[]): boolean {
  return labels.every(({ from }, index) => from >= (labels[index - 1]?.to ?? -Infinity) + APART);
}
