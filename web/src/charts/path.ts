import type { Values } from "./series.ts";

/** Where things stand in a plot, in pixels. */
export interface Places {
  x: (position: number) => number;
  y: (value: number) => number;
}

type Point = readonly [number, number];

/** Draw a line through the points at `positions`, with a gap at each null. A point between two gaps is a dot. */
export function linePath(values: Values, positions: readonly number[], { x, y }: Places): string {
  const pointOf = (position: number): Point => [x(position), y(values[position] ?? 0)];
  return piecesOf(values, positions)
    .map((piece) => path(piece.map(pointOf)))
    .join("");
}

/** Fill the areas between a line and zero. */
export function areaPath(values: Values, positions: readonly number[], { x, y }: Places): string {
  return piecesOf(values, positions)
    .filter((piece) => piece.length > 1)
    .map((piece) => closedPath(piece.map((position): Point => [x(position), y(values[position] ?? 0)]), y(0)))
    .join("");
}

/** Fill the areas between the two ends of a stacked series, with a gap at each null of its outer end. */
export function layerPath(outer: Values, inner: readonly number[], positions: readonly number[], { x, y }: Places): string {
  const pointsOf = (ends: Values, piece: readonly number[]): Point[] => piece.map((position) => [x(position), y(ends[position] ?? 0)]);
  return piecesOf(outer, positions)
    .filter((piece) => piece.length > 1)
    .map((piece) => `${path([...pointsOf(outer, piece), ...pointsOf(inner, piece).reverse()])}Z`)
    .join("");
}

/** Draw a bar from one height to another, with round corners away from zero if it is the outermost. */
export function barPath(left: number, width: number, fromY: number, toY: number, isOuter: boolean): string {
  const height = toY - fromY;
  if (height === 0 || width <= 0) return "";
  const radius = isOuter ? Math.min(2, width / 4, Math.abs(height)) * Math.sign(height) : 0;
  const cornerWidth = Math.abs(radius);
  const sideEndY = roundToTenth(toY - radius);
  const topPath = radius === 0 ? `H${roundToTenth(left + width)}` : cornersPath(left, width, cornerWidth, toY, sideEndY);
  return `M${roundToTenth(left)} ${roundToTenth(fromY)}V${sideEndY}${topPath}V${roundToTenth(fromY)}Z`;
}

function cornersPath(left: number, width: number, cornerWidth: number, topY: number, sideEndY: string): string {
  const [leftCorner, rightCorner] = [roundToTenth(left + cornerWidth), roundToTenth(left + width - cornerWidth)];
  return `Q${roundToTenth(left)} ${roundToTenth(topY)} ${leftCorner} ${roundToTenth(topY)}H${rightCorner}Q${roundToTenth(left + width)} ${roundToTenth(topY)} ${roundToTenth(left + width)} ${sideEndY}`;
}

/** Draw a line through places, such as those of a sparkline. */
export function path(points: readonly Point[]): string {
  if (points.length === 0) return "";
  const text = points.map(([x, y]) => `${roundToTenth(x)} ${roundToTenth(y)}`).join("L");
  return `M${text}${points.length === 1 ? "h.01" : ""}`;
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

function closedPath(points: readonly Point[], floorY: number): string {
  const [firstPoint, lastPoint] = [points[0], points.at(-1)];
  return firstPoint && lastPoint ? `${path(points)}L${roundToTenth(lastPoint[0])} ${roundToTenth(floorY)}L${roundToTenth(firstPoint[0])} ${roundToTenth(floorY)}Z` : "";
}

const roundToTenth = (value: number): string => String(Math.round(value * 10) / 10);
