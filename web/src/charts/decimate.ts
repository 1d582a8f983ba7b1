import { type Values } from "./series.ts";

const MOST = 2_000;

/**
 * Return the positions of the points that can be seen: with more than 2,000 points, the first, least, greatest and last
 * one of each column of pixels, and one null of each gap.
 *
 * @param columns how wide the plot is, in pixels
 * @param place where a point stands, as a share of the plot
 */
export function seen(values: Values, columns: number, place: (position: number) => number): number[] {
  if (values.length <= Math.max(MOST, columns)) return values.map((_, position) => position);
  const kept: number[] = [];
  let column: Column | null = null;
  let number = -1;
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position] ?? null;
    const here = Math.floor(place(position) * columns);
    if (value === null || here !== number) {
      if (column) keep(column, kept);
      column = null;
      number = here;
    }
    if (value === null) {
      if (values[kept.at(-1) ?? -1] !== null) kept.push(position);
    } else {
      column = grown(column, position, value);
    }
  }
  if (column) keep(column, kept);
  return kept;
}

interface Column {
  first: number;
  last: number;
  lowest: number;
  highest: number;
  least: number;
  greatest: number;
}

function grown(column: Column | null, position: number, value: number): Column {
  if (!column) {
    return { first: position, last: position, lowest: position, highest: position, least: value, greatest: value };
  }
  column.last = position;
  if (value < column.least) {
    column.least = value;
    column.lowest = position;
  }
  if (value > column.greatest) {
    column.greatest = value;
    column.highest = position;
  }
  return column;
}

function keep({ first, last, lowest, highest }: Column, kept: number[]): void {
  for (const position of [first, Math.min(lowest, highest), Math.max(lowest, highest), last]) {
    if (kept.at(-1) !== position) kept.push(position);
  }
}
