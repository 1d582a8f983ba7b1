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
  /** As `#rrggbb`; null for the theme's own. */
  color: string | null;
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

export const EMPTY: Picture = { title: "", width: "860", height: "360", theme: "auto", file: "svg", fill: null, background: null, series: [] };

/** Some chats and browsers cut longer addresses. */
export const LONG = 8_000;
/** The server refuses longer queries. */
export const TOO_LONG = 65_500;
export const MAX_SERIES = 50;
const MAX_POINTS = 10_000;
const SIZES = { least: 16, most: 2_000 };
const MAX_PIXELS = 4_000_000;

/** Return the path and query with which the server draws a picture. */
export function addressOf(picture: Picture, palette: readonly string[]): string {
  const lines = drawnOf(picture);
  const parameters: [string, string][] = [
    ["theme", picture.theme],
    ...optionalParameter("name", picture.title.trim()),
    ["width", picture.width],
    ["height", picture.height],
    ...optionalParameter("scale", picture.file === "png2" ? "2" : ""),
    ...optionalParameter("fill", picture.fill === null ? "" : String(picture.fill)),
    ...optionalParameter("background", picture.background?.replace("#", "") ?? ""),
    ...colorsOf(lines, palette).map((color): [string, string] => ["color", color.replace("#", "")]),
    ["data_points", JSON.stringify(lines.flatMap(({ name, points }) => points.map(({ x, y }) => ({ id: name, x, y }))))],
  ];
  const path = picture.file === "svg" ? "/custom/graph.svg" : "/custom/graph.png";
  return `${path}?${parameters.map(([name, value]) => `${name}=${encodeText(value)}`).join("&")}`;
}

const optionalParameter = (name: string, value: string): [string, string][] => (value === "" ? [] : [[name, value]]);

/** The series that the server sees: those with points. Their order and colors are theirs in the picture. */
function drawnOf({ series }: Picture): Series[] {
  return series.filter(({ points }) => points.length > 0);
}

/** Return the color of a series in the picture, by its place among those with points. */
export function colorAt(series: readonly Series[], key: number, palette: readonly string[]): string {
  const lines = series.filter(({ points, key: lineKey }) => points.length > 0 || lineKey === key);
  const at = lines.findIndex((line) => line.key === key);
  return lines[at]?.color ?? palette[at % palette.length] ?? "";
}

/** The server gives colors in order, so that those before a chosen one must be named, too. */
function colorsOf(lines: readonly Series[], palette: readonly string[]): string[] {
  const last = lines.findLastIndex(({ color }) => color !== null);
  return lines.slice(0, last + 1).map(({ key }) => colorAt(lines, key, palette));
}

/** Escape also what ends a link in Markdown, but neither colons nor commas, which are in every point. */
function encodeText(text: string): string {
  const component = encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")).replace(/%(3A|2C)/g, (code) => decodeURIComponent(code));
  return component.replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Say why the server would refuse a picture; null if it would draw it. */
export function refusalOf(picture: Picture, address: string): string | null {
  const lines = drawnOf(picture);
  const count = lines.reduce((sum, { points }) => sum + points.length, 0);
  const [width, height] = [Number(picture.width), Number(picture.height)];
  const scale = picture.file === "png2" ? 2 : 1;
  if (lines.length === 0) return "Add a series, and the server draws it.";
  if ([picture.width, picture.height].some((size) => !isSize(size))) return `Width and height are whole numbers from ${SIZES.least} to ${SIZES.most}.`;
  if (picture.file !== "svg" && width * height * scale ** 2 > MAX_PIXELS) return "A PNG has at most 4,000,000 pixels. Make it smaller.";
  if (new Set(lines.map(({ name }) => name)).size < lines.length) return "Two series have the same name, and would be one line.";
  if (lines.length > MAX_SERIES) return `A picture has at most ${MAX_SERIES} series.`;
  if (count > MAX_POINTS) return `A picture has at most ${MAX_POINTS} points.`;
  return queryLength(address) > TOO_LONG ? "The address is too long for any server. Use fewer points." : null;
}

const isSize = (text: string): boolean => /^\d{1,4}$/.test(text) && Number(text) >= SIZES.least && Number(text) <= SIZES.most;
const queryLength = (address: string): number => address.length - address.indexOf("?") - 1;

/** Return at most so many points, evenly chosen; the first and the last one stay. */
export function thinOut(points: readonly Point[], maxCount: number): readonly Point[] {
  if (points.length <= maxCount) return points;
  const step = (points.length - 1) / (maxCount - 1);
  return Array.from({ length: maxCount }, (_, index) => points[Math.round(index * step)]).filter((point) => point !== undefined);
}

/** Return a picture whose series have half their points, for a shorter address. */
export function halvePoints(picture: Picture): Picture {
  return { ...picture, series: picture.series.map((line) => ({ ...line, points: thinOut(line.points, Math.max(2, Math.ceil(line.points.length / 2))) })) };
}

/** Return series with one moved to another place. */
export function moveSeries(series: readonly Series[], from: number, to: number): Series[] {
  const next = series.toSpliced(from, 1);
  const movedSeries = series[from];
  return movedSeries ? next.toSpliced(Math.max(0, Math.min(to, next.length)), 0, movedSeries) : next;
}

/** Return a name that no series has yet: "Teapot", "Teapot 2". */
export function freeName(name: string, series: readonly Series[]): string {
  const names = new Set(series.map((line) => line.name));
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
