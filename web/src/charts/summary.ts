import { formatExact, formatPercent } from "../core/numbers.ts";
import type { ChartSeries, TimeLine, Values } from "./series.ts";

const MAX_SERIES = 8;
const STEADY = 0.05;

/**
 * Say what a chart over time shows: its range, and of each series the last value, the least, the greatest and the trend.
 *
 * @param nameOf names a moment, such as "Mon 26 Oct 2026"
 */
export function summaryOf(line: TimeLine, nameOf: (time: number) => string): string {
  const [first, last] = [line.times[0], line.times.at(-1)];
  if (first === undefined || last === undefined) return "Nothing in this range.";
  const range = first === last ? `${nameOf(first)}.` : `From ${nameOf(first)} to ${nameOf(last)}.`;
  const sentences = line.series.slice(0, MAX_SERIES).map((series) => describeSeries(series, line, nameOf));
  const more = line.series.length - sentences.length;
  return [range, ...sentences, ...(more > 0 ? [`And ${more} more series.`] : [])].join(" ");
}

function describeSeries({ name, values }: ChartSeries, line: TimeLine, nameOf: (time: number) => string): string {
  const lowestPosition = extremePosition(values, (value, than) => value < than);
  const highestPosition = extremePosition(values, (value, than) => value > than);
  if (lowestPosition === null || highestPosition === null) return `${name}: no values.`;
  const at = (position: number): string => `${formatExact(values[position] ?? null)} on ${nameOf(line.times[position] ?? 0)}`;
  const soFar = line.isLastPartial ? " so far" : "";
  const trend = trendOf(line.isLastPartial ? values.slice(0, -1) : values);
  const last = `last ${formatExact(values.at(-1) ?? null)}${soFar}`;
  return `${name}: ${last}, least ${at(lowestPosition)}, greatest ${at(highestPosition)}${trend ? `, ${trend}` : ""}.`;
}

/** Return the position of the first value that no other exceeds; null if there is no value. */
function extremePosition(values: Values, exceeds: (value: number, than: number) => boolean): number | null {
  let bestPosition: number | null = null;
  let best = 0;
  values.forEach((value, position) => {
    if (value === null || (bestPosition !== null && !exceeds(value, best))) return;
    bestPosition = position;
    best = value;
  });
  return bestPosition;
}

/** Say how the mean of the second half compares with that of the first; nothing for fewer than four values. */
export function trendOf(values: Values): string {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 4) return "";
  const half = Math.floor(numbers.length / 2);
  const [before, after] = [mean(numbers.slice(0, half)), mean(numbers.slice(-half))];
  if (before === after) return "steady";
  if (before === 0) return after > 0 ? "rising" : "falling";
  const change = (after - before) / Math.abs(before);
  if (Math.abs(change) < STEADY) return "steady";
  return `${change > 0 ? "rising" : "falling"} by ${formatPercent(change)} from the first half to the second`;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value / values.length, 0);
