import type { Point } from "./picture.ts";

/** Points by the names of their series, in the order of their first points; or the reason why a text has none. */
export type ReadPoints = { series: [name: string, points: Point[]][] } | { problem: string };

interface Named extends Point {
  id: string;
}

/** Moments above this are in milliseconds: as seconds, they would be in the year 5138. */
const MAX_SECONDS = 1e11;

/**
 * Read points as CSV or JSON. CSV has a moment and a value on each line, and may have the name of the series before
 * them; JSON is a list of points, of pairs, or lists of pairs by name.
 *
 * @param fallback - the name of a series that the text does not name.
 */
export function readPoints(text: string, fallback: string): ReadPoints {
  const content = text.trim();
  if (content === "") return { problem: "There are no points yet." };
  const entries = content.startsWith("[") || content.startsWith("{") ? fromJson(content, fallback) : fromCsv(content, fallback);
  if (typeof entries === "string") return { problem: entries };
  const series = new Map<string, Point[]>();
  for (const { id, x, y } of entries) {
    const points = series.get(id) ?? [];
    points.push({ x, y });
    series.set(id, points);
  }
  return { series: [...series] };
}

function fromCsv(text: string, fallback: string): Named[] | string {
  const entries: Named[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    const [value, moment] = cells.toReversed();
    const point = pointOf(moment, value);
    if (point && cells.length <= 3) entries.push({ id: (cells.length > 2 ? cells[0] : undefined) ?? fallback, ...point });
    else if (entries.length > 0 || at > 0 || /^[-+]?\d/.test(moment ?? "")) return `Line ${at + 1} is no point. Write a moment and a value, as in 2026-11-20,900.`;
  }
  return entries.length > 0 ? entries : "No line is a point. Write a moment and a value, as in 2026-11-20,900.";
}

function fromJson(text: string, fallback: string): Named[] | string {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return "This is not JSON: a bracket, a comma or a quotation mark is missing.";
  }
  const lists: [string, unknown][] = Array.isArray(read) ? [[fallback, read]] : Object.entries(read as object);
  const entries: Named[] = [];
  for (const [name, list] of lists) {
    if (!Array.isArray(list)) return `“${name}” is no list of points.`;
    for (const [at, element] of list.entries()) {
      const point = named(element, name);
      if (!point) return `Point ${at + 1} of ${name} needs a moment and a value, as in {"x": 1763000000, "y": 900}.`;
      entries.push(point);
    }
  }
  return entries.length > 0 ? entries : "The list has no points.";
}

function named(element: unknown, name: string): Named | null {
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
  const parsed = typeof moment === "string" && /^\d{4}-\d{2}/.test(moment) ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed / 1_000;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Write points as CSV, a moment and a value on each line, so that they can be changed. */
export function pointsToCsv(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${x},${y}`).join("\n");
}
