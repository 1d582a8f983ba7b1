import type { Values } from "./series.ts";

const MAX_POINTS = 2_000;

/**
 * Return the positions of the points that can be seen: with more than 2,000 points, the least and the greatest one of
 * each column of pixels, both ends of each stretch without gaps, and one null of each gap.
 *
 * @param columns how wide the plot is, in pixels
 * @param place where a point stands, as a share of the plot
 */
export function decimate(values: Values, columns: number, place: (position: number) => number): number[] {
  if (values.length <= Math.max(MAX_POINTS, columns)) return values.map((_, position) => position);
  const positions: number[] = [];
  let column = null as Column | null;
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position] ?? null;
    if (value === null) {
      if (column) pushExtremes(column, positions, position - 1);
      if (values[positions.at(-1) ?? -1] !== null) positions.push(position);
      column = null;
      continue;
    }
    const number = Math.floor(place(position) * columns);
    if (column?.number === number) {
      growColumn(column, position, value);
      continue;
    }
    if (column) pushExtremes(column, positions);
    else positions.push(position);
    column = { number, lowest: position, highest: position, lowestValue: value, highestValue: value };
  }
  if (column) pushExtremes(column, positions, values.length - 1);
  return positions;
}

interface Column {
  number: number;
  lowest: number;
  highest: number;
  lowestValue: number;
  highestValue: number;
}

function growColumn(column: Column, position: number, value: number): void {
  if (value < column.lowestValue) {
    column.lowestValue = value;
    column.lowest = position;
  }
  if (value > column.highestValue) {
    column.highestValue = value;
    column.highest = position;
  }
}

function pushExtremes({ lowest, highest }: Column, positions: number[], last?: number): void {
  for (const position of [Math.min(lowest, highest), Math.max(lowest, highest), last ?? -1]) {
    if (position > (positions.at(-1) ?? -1)) positions.push(position);
  }
}
