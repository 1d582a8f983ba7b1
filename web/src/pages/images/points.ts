import type { Point } from "./picture.ts";

/** Points by the names of their series, in the order of their first points; or the reason why a text has none. */
export type ReadPoints = { series: [name: string, points: Point[]][] } | { problem: string };

interface NamedPoint extends Point {
  id: string;
}

/** Moments above this are in milliseconds: as seconds, they would be in the year 5138. */
const MAX_SECONDS = 1e11;

/**
 * Read points as CSV or JSON. CSV has a moment and a value on each line, and may have the name of the series before
 * them; JSON is a list of points, of pairs, or lists of pairs by name.
 *
 * @param fallbackName - the name of a series that the text does not name.
 */
export function readPoints(text: string, fallbackName: string): ReadPoints {
  const content = text.trim();
  if (content === "") return { problem: "Enter some points." };
  const namedPoints = content.startsWith("[") || content.startsWith("{")
    ? pointsFromJson(content, fallbackName)
    : pointsFromCsv(content, fallbackName);
  if (typeof namedPoints === "string") return { problem: namedPoints };
  const pointsByName = new Map<string, Point[]>();
  for (const { id, x, y } of namedPoints) {
    const points = pointsByName.get(id) ?? [];
    points.push({ x, y });
    pointsByName.set(id, points);
  }
  return { series: [...pointsByName] };
}

function pointsFromCsv(text: string, fallbackName: string): NamedPoint[] | string {
  const namedPoints: NamedPoint[] = [];
  for (const [lineIndex, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    const [value, moment] = cells.toReversed();
    const point = pointOf(moment, value);
    if (point && cells.length <= 3) namedPoints.push({ id: (cells.length > 2 ? cells[0] : undefined) ?? fallbackName, ...point });
    else if (namedPoints.length > 0 || lineIndex > 0 || /^[-+]?\d/.test(moment ?? "")) return `Line ${lineIndex + 1} is not a point. Enter a time and a value, such as 2026-11-20,900.`;
  }
  return namedPoints.length > 0 ? namedPoints : "No line is a point. Enter a time and a value, such as 2026-11-20,900.";
}

function pointsFromJson(text: string, fallbackName: string): NamedPoint[] | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return "This is not valid JSON. Check brackets, commas and quotation marks.";
  }
  const listsByName: [string, unknown][] = Array.isArray(parsed) ? [[fallbackName, parsed]] : Object.entries(parsed as object);
  const namedPoints: NamedPoint[] = [];
  for (const [name, pointList] of listsByName) {
    if (!Array.isArray(pointList)) return `“${name}” is not a list of points.`;
    for (const [index, element] of pointList.entries()) {
      const point = namedPointOf(element, name);
      if (!point) return `Point ${index + 1} of ${name} needs a time and a value, such as {"x": 1763000000, "y": 900}.`;
      namedPoints.push(point);
    }
  }
  return namedPoints.length > 0 ? namedPoints : "The list has no points.";
}

function namedPointOf(element: unknown, name: string): NamedPoint | null {
  if (Array.isArray(element)) {
    const point = element.length === 2 ? pointOf(element[0], element[1]) : null;
    return point && { id: name, ...point };
  }
  if (typeof element !== "object" || element === null) return null;
  const { id, x, y, time, t, value } = element as Record<string, unknown>;
  const point = pointOf(x ?? time ?? t, y ?? value);
  return point && { id: typeof id === "string" && id !== "" ? id : name, ...point };
}

function pointOf(moment: unknown, value: unknown): Point | null {
  const [x, y] = [secondsOf(moment), numberOf(value)];
  return x === null || y === null ? null : { x, y };
}

function secondsOf(moment: unknown): number | null {
  const number = numberOf(moment);
  if (number !== null) return Math.abs(number) > MAX_SECONDS ? number / 1_000 : number;
  const parsedMs = typeof moment === "string" && /^\d{4}-\d{2}/.test(moment) ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(parsedMs) ? null : parsedMs / 1_000;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Write points as CSV, a moment and a value on each line, so that they can be changed. */
export function pointsToCsv(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${x},${y}`).join("\n");
}
