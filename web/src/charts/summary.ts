import { changeOf } from "../core/changes.ts";
import { formatExact } from "../core/numbers.ts";
import { type ChartSeries, type TimeLine, type Values, partInWords, wholeValuesOf } from "./series.ts";

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

function describeSeries({ name, values: allValues }: ChartSeries, line: TimeLine, nameOfTime: (time: number) => string): string {
  const latestPosition = allValues.findLastIndex((value) => value !== null);
  if (latestPosition < 0) return `${name}: no values.`;
  const latestText = `latest ${formatExact(allValues[latestPosition] ?? null)}${partInWords(line, latestPosition).replace(",", "")}`;
  const values = wholeValuesOf(allValues, line.partialBuckets);
  const lowestPosition = extremePosition(values, (value, other) => value < other);
  const highestPosition = extremePosition(values, (value, other) => value > other);
  if (lowestPosition === null || highestPosition === null) return `${name}: ${latestText}.`;
  const pointInWords = (position: number): string => `${formatExact(values[position] ?? null)} on ${nameOfTime(line.times[position] ?? 0)}`;
  const trend = trendOf(values);
  const extremesText = `minimum ${pointInWords(lowestPosition)}, maximum ${pointInWords(highestPosition)}`;
  return `${name}: ${latestText}, ${extremesText}${trend ? `, ${trend}` : ""}.`;
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
  if (Math.abs((secondMean - firstMean) / firstMean) < STEADY) return "steady";
  const change = changeOf(secondMean, firstMean);
  const direction = secondMean > firstMean ? "rising" : "falling";
  if (!change) return direction;
  if (change.kind === "factor") return `${direction} to ${change.text} from the first half to the second`;
  return `${direction} by ${change.text.replace(/^[+\u2212]/, "")} from the first half to the second`;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value / values.length, 0);
