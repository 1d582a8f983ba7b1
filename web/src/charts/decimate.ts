import type { Values } from "./series.ts";

const MAX_POINTS = 2_000;

/**
 * Return the positions of the points that can be seen: with more than 2,000 points, the least and the greatest one of
 * each column of pixels, both ends of each stretch without gaps, and one null of each gap.
 *
 * @param columnCount how wide the plot is, in pixels
 * @param shareOf where a point stands, as a share of the plot
 */
export function decimate(values: Values, columnCount: number, shareOf: (position: number) => number): number[] {
  if (values.length <= Math.max(MAX_POINTS, columnCount)) return values.map((_, position) => position);
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
    const columnIndex = Math.floor(shareOf(position) * columnCount);
    if (column?.columnIndex === columnIndex) {
      growColumn(column, position, value);
      continue;
    }
    if (column) pushExtremes(column, positions);
    else positions.push(position);
    column = { columnIndex, lowestPosition: position, highestPosition: position, lowestValue: value, highestValue: value };
  }
  if (column) pushExtremes(column, positions, values.length - 1);
  return positions;
}

interface Column {
  columnIndex: number;
  lowestPosition: number;
  highestPosition: number;
  lowestValue: number;
  highestValue: number;
}

function growColumn(column: Column, position: number, value: number): void {
  if (value < column.lowestValue) {
    column.lowestValue = value;
    column.lowestPosition = position;
  }
  if (value > column.highestValue) {
    column.highestValue = value;
    column.highestPosition = position;
  }
}

function pushExtremes({ lowestPosition, highestPosition }: Column, positions: number[], lastPosition?: number): void {
  for (const position of [Math.min(lowestPosition, highestPosition), Math.max(lowestPosition, highestPosition), lastPosition ?? -1]) {
    if (position > (positions.at(-1) ?? -1)) positions.push(position);
  }
}
