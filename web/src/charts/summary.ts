import { formatExact, formatPercent } from "../core/numbers.ts";
import type { ChartSeries, TimeLine, Values } from "./series.ts";

const MAX_SERIES = 8;
const STEADY = 0.05;

/**
 * Say what a chart over time shows: its range, and of each series the latest value, the minimum, the maximum and the trend.
 *
 * @param nameOfTime names a moment, such as "Mon 26 Oct 2026"
 */
export function summaryOf(line: TimeLine, nameOfTime: (time: number) => string): string {
  const [firstTime, lastTime] = [line.times[0], line.times.at(-1)];
  if (firstTime === undefined || lastTime === undefined) return "No data in this time range.";
  const range = firstTime === lastTime ? `${nameOfTime(firstTime)}.` : `From ${nameOfTime(firstTime)} to ${nameOfTime(lastTime)}.`;
  const sentences = line.series.slice(0, MAX_SERIES).map((series) => describeSeries(series, line, nameOfTime));
  const moreCount = line.series.length - sentences.length;
  return [range, ...sentences, ...(moreCount > 0 ? [`And ${moreCount} more series.`] : [])].join(" ");
}

function describeSeries({ name, values }: ChartSeries, line: TimeLine, nameOfTime: (time: number) => string): string {
  const lowestPosition = extremePosition(values, (value, other) => value < other);
  const highestPosition = extremePosition(values, (value, other) => value > other);
  if (lowestPosition === null || highestPosition === null) return `${name}: no values.`;
  const pointInWords = (position: number): string => `${formatExact(values[position] ?? null)} on ${nameOfTime(line.times[position] ?? 0)}`;
  const partialText = line.isLastPartial ? " so far" : "";
  const trend = trendOf(line.isLastPartial ? values.slice(0, -1) : values);
  const lastText = `latest ${formatExact(values.at(-1) ?? null)}${partialText}`;
  const extremesText = `minimum ${pointInWords(lowestPosition)}, maximum ${pointInWords(highestPosition)}`;
  return `${name}: ${lastText}, ${extremesText}${trend ? `, ${trend}` : ""}.`;
}

/** Return the position of the first value that no other exceeds; null if there is no value. */
function extremePosition(values: Values, exceeds: (value: number, other: number) => boolean): number | null {
  let bestPosition: number | null = null;
  let bestValue = 0;
  values.forEach((value, position) => {
    if (value === null || (bestPosition !== null && !exceeds(value, bestValue))) return;
    bestPosition = position;
    bestValue = value;
  });
  return bestPosition;
}

/** Say how the mean of the second half compares with that of the first; nothing for fewer than four values. */
export function trendOf(values: Values): string {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 4) return "";
  const halfLength = Math.floor(numbers.length / 2);
  const [firstMean, secondMean] = [mean(numbers.slice(0, halfLength)), mean(numbers.slice(-halfLength))];
  if (firstMean === secondMean) return "steady";
  if (firstMean === 0) return secondMean > 0 ? "rising" : "falling";
  const change = (secondMean - firstMean) / Math.abs(firstMean);
  if (Math.abs(change) < STEADY) return "steady";
  return `${change > 0 ? "rising" : "falling"} by ${formatPercent(change)} from the first half to the second`;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value / values.length, 0);
