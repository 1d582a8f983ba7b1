import type { Layer } from "./stack.ts";
import type { Values } from "./series.ts";

/** Where things stand in a plot, in pixels. */
export interface Places {
  x: (position: number) => number;
  y: (value: number) => number;
}

type Place = readonly [number, number];

/** The paths of a line: whole parts, and parts that touch an unfinished bucket. */
export interface LinePaths {
  solid: string;
  dotted: string;
}

/**
 * Draw a line through the points at `positions`, with a gap at each null. A point between two gaps is a dot.
 *
 * @param partial positions of unfinished buckets
 */
export function linePaths(
  values: Values,
  positions: readonly number[],
  { x, y }: Places,
  partial: ReadonlySet<number>,
): LinePaths {
  const pieces = piecesOf(values, positions);
  const place = (position: number): Place => [x(position), y(values[position] ?? 0)];
  const isDotted = (position: number): boolean => partial.has(position);
  return {
    solid: pieces.map((piece) => path(dotOf(piece, withoutDotted(piece, isDotted)).map(place))).join(""),
    dotted: pieces.map((piece) => dottedPath(piece, isDotted, place)).join(""),
  };
}

/** Fill the areas between a line and zero. */
export function areaPath(values: Values, positions: readonly number[], { x, y }: Places): string {
  return piecesOf(values, positions)
    .filter((piece) => piece.length > 1)
    .map((piece) => closedPath(piece.map((position): Place => [x(position), y(values[position] ?? 0)]), y(0)))
    .join("");
}

/** Fill the area between the two ends of a stacked series. */
export function layerPath({ inner, outer }: Layer, positions: readonly number[], { x, y }: Places): string {
  if (positions.length === 0) return "";
  const upper = positions.map((position): Place => [x(position), y(outer[position] ?? 0)]);
  const lower = positions.map((position): Place => [x(position), y(inner[position] ?? 0)]).reverse();
  return `${path([...upper, ...lower])}Z`;
}

/** Draw a bar from one height to another, with round corners away from zero if it is the outermost. */
export function barPath(left: number, width: number, from: number, to: number, isOuter: boolean): string {
  const height = to - from;
  if (height === 0 || width <= 0) return "";
  const radius = isOuter ? Math.min(2, width / 4, Math.abs(height)) * Math.sign(height) : 0;
  const across = Math.abs(radius);
  const end = roundToTenth(to - radius);
  const round = radius === 0 ? `H${roundToTenth(left + width)}` : corners(left, width, across, to, end);
  return `M${roundToTenth(left)} ${roundToTenth(from)}V${end}${round}V${roundToTenth(from)}Z`;
}

function corners(left: number, width: number, across: number, to: number, end: string): string {
  const [one, other] = [roundToTenth(left + across), roundToTenth(left + width - across)];
  return `Q${roundToTenth(left)} ${roundToTenth(to)} ${one} ${roundToTenth(to)}H${other}Q${roundToTenth(left + width)} ${roundToTenth(to)} ${roundToTenth(left + width)} ${end}`;
}

/** Draw a line through places, such as those of a sparkline. */
export function path(places: readonly Place[]): string {
  if (places.length === 0) return "";
  const text = places.map(([x, y]) => `${roundToTenth(x)} ${roundToTenth(y)}`).join("L");
  return `M${text}${places.length === 1 ? "h.01" : ""}`;
}

/** Split positions at nulls. */
function piecesOf(values: Values, positions: readonly number[]): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (const position of positions) {
    if ((values[position] ?? null) !== null) {
      piece.push(position);
    } else if (piece.length > 0) {
      pieces.push(piece);
      piece = [];
    }
  }
  return piece.length > 0 ? [...pieces, piece] : pieces;
}

const withoutDotted = (piece: number[], isDotted: (position: number) => boolean): number[] =>
  piece.filter((position) => !isDotted(position));

/** A single point beside other points needs no dot: a dotted segment leads to it. */
const dotOf = (piece: number[], solid: number[]): number[] => (solid.length === 1 && piece.length > 1 ? [] : solid);

function dottedPath(piece: number[], isDotted: (position: number) => boolean, place: (position: number) => Place): string {
  return piece
    .map((position, index) => ({ position, before: piece[index - 1] }))
    .filter(({ position, before }) => isDotted(position) || (before !== undefined && isDotted(before)))
    .map(({ position, before }) => (before === undefined ? "" : path([place(before), place(position)])))
    .join("");
}

function closedPath(places: readonly Place[], floor: number): string {
  const [first, last] = [places[0], places.at(-1)];
  return first && last ? `${path(places)}L${roundToTenth(last[0])} ${roundToTenth(floor)}L${roundToTenth(first[0])} ${roundToTenth(floor)}Z` : "";
}

const roundToTenth = (value: number): string => String(Math.round(value * 10) / 10);
