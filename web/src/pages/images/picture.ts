import { COLOR_COUNT } from "../../core/valueColors.ts";

/** A point of a series: seconds since 1970, and a value. */
export interface Point {
  x: number;
  y: number;
}

/** A line of a picture. */
export interface Series {
  /** Tells it from others while its name changes. */
  key: number;
  name: string;
  points: readonly Point[];
  /** As `#rrggbb`, or the number of a color of the theme, 1 to 8; null for the one at its place. */
  color: string | number | null;
}

/** Everything that a picture is made of. */
export interface Picture {
  title: string;
  /** As typed; the server takes 16 to 2,000. */
  width: string;
  height: string;
  theme: "auto" | "light" | "dark";
  file: "svg" | "png" | "png2";
  /** Whether to shade below lines; null leaves it to the server, which shades a lone line above zero. */
  fill: boolean | null;
  /** A color, "transparent", or null for the theme's own. */
  background: string | null;
  series: readonly Series[];
}

export const EMPTY_PICTURE: Picture = { title: "", width: "860", height: "360", theme: "auto", file: "svg", fill: null, background: null, series: [] };

/** Some chats and browsers cut longer addresses. */
export const LONG_ADDRESS_LENGTH = 8_000;
/** The server refuses longer queries. */
export const MAX_QUERY_LENGTH = 65_500;
export const MAX_SERIES = 50;
const MAX_POINTS = 10_000;
const SIZE_LIMITS = { least: 16, most: 2_000 };
const MAX_PIXELS = 4_000_000;

/** Return the path and query with which the server draws a picture. */
export function addressOf(picture: Picture): string {
  const drawnSeries = drawnSeriesOf(picture);
  const parameters: [string, string][] = [
    ["theme", picture.theme],
    ...optionalParameter("name", picture.title.trim()),
    ["width", picture.width],
    ["height", picture.height],
    ...optionalParameter("scale", picture.file === "png2" ? "2" : ""),
    ...optionalParameter("fill", picture.fill === null ? "" : String(picture.fill)),
    ...optionalParameter("background", picture.background?.replace("#", "") ?? ""),
    ...colorsOf(drawnSeries).map((color): [string, string] => ["color", String(color).replace("#", "")]),
    ["data_points", JSON.stringify(drawnSeries.flatMap(({ name, points }) => points.map(({ x, y }) => ({ id: name, x, y }))))],
  ];
  const path = picture.file === "svg" ? "/custom/graph.svg" : "/custom/graph.png";
  return `${path}?${parameters.map(([name, value]) => `${name}=${encodeText(value)}`).join("&")}`;
}

const optionalParameter = (name: string, value: string): [string, string][] => (value === "" ? [] : [[name, value]]);

/** The series that the server sees: those with points. Their order and colors are theirs in the picture. */
function drawnSeriesOf({ series }: Picture): Series[] {
  return series.filter(({ points }) => points.length > 0);
}

/** Return the color of a series in the picture, by its place among those with points, as `#rrggbb`. */
export function colorOf(series: readonly Series[], key: number, palette: readonly string[]): string {
  const drawnSeries = series.filter(({ points, key: lineKey }) => points.length > 0 || lineKey === key);
  const index = drawnSeries.findIndex((entry) => entry.key === key);
  const color = drawnSeries[index]?.color ?? colorAt(index);
  return typeof color === "string" ? color : (palette[color - 1] ?? "");
}

/** The server gives colors in order, so that those before a chosen one must be named, too. */
function colorsOf(drawnSeries: readonly Series[]): (string | number)[] {
  const lastChosenIndex = drawnSeries.findLastIndex(({ color }) => color !== null);
  return drawnSeries.slice(0, lastChosenIndex + 1).map(({ color }, index) => color ?? colorAt(index));
}

/** Return the number of the theme's color that a place has. */
const colorAt = (index: number): number => (index % COLOR_COUNT) + 1;

/** Return the color of one more series: that of its place, unless the others have those of their values. */
export function colorOfNext(series: readonly Series[]): number | null {
  if (series.every(({ color }) => typeof color !== "number")) return null;
  const takenColors = series.map(({ color }, index) => color ?? colorAt(index));
  const numbers = Array.from({ length: COLOR_COUNT }, (_, index) => index + 1);
  return numbers.find((number) => !takenColors.includes(number)) ?? null;
}

/** Escape also what ends a link in Markdown, but neither colons nor commas, which are in every point. */
function encodeText(text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")).replace(/%(3A|2C)/g, (code) => decodeURIComponent(code));
  return encoded.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Say why the server would refuse a picture; null if it would draw it. */
export function refusalOf(picture: Picture, address: string): string | null {
  const drawnSeries = drawnSeriesOf(picture);
  const pointCount = drawnSeries.reduce((sum, { points }) => sum + points.length, 0);
  const [width, height] = [Number(picture.width), Number(picture.height)];
  const scale = picture.file === "png2" ? 2 : 1;
  if (drawnSeries.length === 0) return "Add a series to see it.";
  if ([picture.width, picture.height].some((size) => !isSize(size))) return `Width and height must be whole numbers from ${SIZE_LIMITS.least} to ${SIZE_LIMITS.most}.`;
  if (picture.file !== "svg" && width * height * scale ** 2 > MAX_PIXELS) return "A PNG can have at most 4,000,000 pixels. Make it smaller.";
  if (new Set(drawnSeries.map(({ name }) => name)).size < drawnSeries.length) {
    return "Two series have the same name. Rename one of them.";
  }
  if (drawnSeries.length > MAX_SERIES) return `A picture can have at most ${MAX_SERIES} series.`;
  if (pointCount > MAX_POINTS) return `A picture can have at most ${MAX_POINTS} points.`;
  return queryLength(address) > MAX_QUERY_LENGTH ? "The URL is too long. Use fewer points." : null;
}

const isSize = (text: string): boolean => /^\d{1,4}$/.test(text) && Number(text) >= SIZE_LIMITS.least && Number(text) <= SIZE_LIMITS.most;
const queryLength = (address: string): number => address.length - address.indexOf("?") - 1;

/** Return at most so many points, evenly chosen; the first and the last one stay. */
export function thinOut(points: readonly Point[], maxCount: number): readonly Point[] {
  if (points.length <= maxCount) return points;
  const step = (points.length - 1) / (maxCount - 1);
  return Array.from({ length: maxCount }, (_, index) => points[Math.round(index * step)]).filter((point) => point !== undefined);
}

/** Return a picture whose series have half their points, for a shorter address. */
export function halvePoints(picture: Picture): Picture {
  return { ...picture, series: picture.series.map((entry) => ({ ...entry, points: thinOut(entry.points, Math.max(2, Math.ceil(entry.points.length / 2))) })) };
}

/** Return a name that no series has yet: "Teapot", "Teapot 2". */
export function uniqueName(name: string, series: readonly Series[]): string {
  const names = new Set(series.map((entry) => entry.name));
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

/** Say what is in a picture, for those who do not see it. */
export function altOf({ title, series }: Picture): string {
  const names = series.filter(({ points }) => points.length > 0).map(({ name }) => name).join(", ");
  return title.trim() === "" ? names : names === "" ? title.trim() : `${title.trim()}: ${names}`;
}
