import { type Outline, leastRowsOf, rowCountOf } from "../../../widgets/outline.ts";

/** Columns of twelve and rows that a card takes. */
export interface CardSize {
  w: number;
  h: number;
}

/** In pixels: how far the pointer moved, or how much one more column and row take. */
export interface Distance {
  x: number;
  y: number;
}

/** In fewer columns no chart can be read. */
const LEAST_COLUMNS = 3;
/** Of columns and rows: there the grid and the API end. */
const MOST = 12;

const STEP_BY_KEY: Record<string, CardSize> = {
  ArrowRight: { w: 1, h: 0 },
  ArrowLeft: { w: -1, h: 0 },
  ArrowDown: { w: 0, h: 1 },
  ArrowUp: { w: 0, h: -1 },
};

/**
 * Return the saved size with so many more columns and rows than are shown, within the limits; a card beyond them only
 * moves towards them.
 */
export function sizeAfterStep({ w, h }: CardSize, step: CardSize, outline: Outline): CardSize {
  const shownRows = rowCountOf(outline, h);
  const newRows = limit(shownRows, step.h, leastRowsOf(outline));
  return { w: limit(w, step.w, LEAST_COLUMNS), h: newRows === shownRows ? h : newRows };
}

/** Return how much larger an arrow key makes a card; undefined for other keys. */
export const stepOfKey = (key: string): CardSize | undefined => (Object.hasOwn(STEP_BY_KEY, key) ? STEP_BY_KEY[key] : undefined);

/** Return the size after the corner was moved, in whole columns and rows. */
export function sizeAfterDrag(size: CardSize, distance: Distance, cell: Distance, outline: Outline): CardSize {
  return sizeAfterStep(size, { w: Math.round(distance.x / cell.x), h: Math.round(distance.y / cell.y) }, outline);
}

export const isSameSize = (one: CardSize, other: CardSize): boolean => one.w === other.w && one.h === other.h;

/** Say a size: "6 of 12 columns, 4 rows". */
export const sizeInWords = ({ w, h }: CardSize): string => `${w} of 12 columns, ${h} ${h === 1 ? "row" : "rows"}`;

function limit(value: number, step: number, least: number): number {
  if (step === 0) return value;
  return Math.max(Math.min(least, value), Math.min(MOST, value + step));
}
