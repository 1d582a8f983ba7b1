/** A value of a row: JSON exactly as the file has it, or the text of a CSV cell. An empty CSV cell is no cell. */
export interface Cell {
  text: string;
  isJson: boolean;
}

export type Cells = ReadonlyMap<string, Cell>;

/** A row that can be read: where it begins in the file, its cells by column, and what to show if it is refused. */
export interface FileRow {
  line: number;
  cells: Cells;
  text: string;
}

/** A row that does not become an event, and why. */
export interface RefusedRow {
  line: number;
  reason: string;
  text: string;
}

/** What is thrown for a row that cannot become an event; its message is the reason, as in `name: is missing`. */
export class RowRefused extends Error {}

/** What is thrown for a file of which nothing can be read. */
export class FileUnreadable extends Error {}

const NUMBER_START = /^[-0-9]/;

/** Return whether a row was refused before it was sent. */
export const isRefused = (row: FileRow | RefusedRow): row is RefusedRow => "reason" in row;

/** Return whether a cell is a JSON number. */
export const isNumber = ({ text, isJson }: Cell): boolean => isJson && NUMBER_START.test(text);

/** Return whether a cell is JSON's null, which counts as empty. */
export const isNull = ({ text, isJson }: Cell): boolean => isJson && text === "null";

/**
 * Return the text of a cell; a JSON number is the text that it was written as, so that an id stays whole.
 *
 * @throws RowRefused when it is neither text nor a number.
 */
export function textOf(cell: Cell, field: string): string {
  if (!cell.isJson) return cell.text;
  if (cell.text.startsWith('"')) return JSON.parse(cell.text) as string;
  if (isNumber(cell)) return cell.text;
  throw new RowRefused(`${field}: is neither text nor a number`);
}

const BLANK = /[ \t\r\n]*/y;

/** Return the members of a JSON object, each as it is written; null if the text is no JSON object. */
export function membersOf(json: string): Map<string, string> | null {
  const text = json.trim();
  if (!text.startsWith("{") || !isJson(text)) return null;
  const members = new Map<string, string>();
  let at = skip(BLANK, text, 1);
  while (text[at] !== "}") {
    const nameEnd = stringEnd(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = skip(BLANK, text, skip(BLANK, text, nameEnd) + 1);
    const end = valueEnd(text, start);
    members.set(name, text.slice(start, end).trimEnd());
    at = text[end] === "," ? skip(BLANK, text, end + 1) : end;
  }
  return members;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex || from;
}

/** Where the string that begins at `start` ends, behind its quotation mark. The text is valid JSON. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Where the value that begins at `start` ends: at the comma or the brace behind it. The text is valid JSON. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const letter = text[at];
    if (letter === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (depth === 0 && (letter === "," || letter === "}")) return at;
    if (letter === "{" || letter === "[") depth += 1;
    if (letter === "}" || letter === "]") depth -= 1;
    at += 1;
  }
  return at;
}

/** Return the cell of a column, or of a dotted path into an object; null when it is absent, null or empty. */
export function find(cells: Cells, path: string): Cell | null {
  const cell = cells.get(path);
  if (cell) return isNull(cell) ? null : cell;
  const [head = "", ...rest] = path.split(".");
  const inner = rest.length > 0 ? cells.get(head) : undefined;
  const members = inner ? objectOf(inner) : null;
  return members ? find(members, rest.join(".")) : null;
}

/** Return what an object holds, also when it is written as JSON text; null when the cell is no object. */
export function objectOf({ text, isJson: json }: Cell): Cells | null {
  let objectText = text;
  if (json && text.startsWith('"')) objectText = JSON.parse(text) as string;
  const members = membersOf(objectText);
  return members ? new Map([...members].map(([name, value]) => [name, { text: value, isJson: true }])) : null;
}
