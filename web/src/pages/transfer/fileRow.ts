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
  if (!text.startsWith("{") || !isValidJson(text)) return null;
  const jsonByName = new Map<string, string>();
  let position = skipPattern(BLANK, text, 1);
  while (text[position] !== "}") {
    const nameEnd = stringEnd(text, position);
    const name = JSON.parse(text.slice(position, nameEnd)) as string;
    const start = skipPattern(BLANK, text, skipPattern(BLANK, text, nameEnd) + 1);
    const end = valueEnd(text, start);
    jsonByName.set(name, text.slice(start, end).trimEnd());
    position = text[end] === "," ? skipPattern(BLANK, text, end + 1) : end;
  }
  return jsonByName;
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function skipPattern(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex || from;
}

/** Where the string that begins at `start` ends, behind its quotation mark. The text is valid JSON. */
function stringEnd(text: string, start: number): number {
  let position = start + 1;
  while (text[position] !== '"') position += text[position] === "\\" ? 2 : 1;
  return position + 1;
}

/** Where the value that begins at `start` ends: at the comma or the brace behind it. The text is valid JSON. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let position = start;
  while (position < text.length) {
    const letter = text[position];
    if (letter === '"') {
      position = stringEnd(text, position);
      continue;
    }
    if (depth === 0 && (letter === "," || letter === "}")) return position;
    if (letter === "{" || letter === "[") depth += 1;
    if (letter === "}" || letter === "]") depth -= 1;
    position += 1;
  }
  return position;
}

/** Return the cell of a column, or of a dotted path into an object; null when it is absent, null or empty. */
export function findCell(cells: Cells, path: string): Cell | null {
  const cell = cells.get(path);
  if (cell) return isNull(cell) ? null : cell;
  const [firstName = "", ...otherNames] = path.split(".");
  const objectCell = otherNames.length > 0 ? cells.get(firstName) : undefined;
  const members = objectCell ? objectCells(objectCell) : null;
  return members ? findCell(members, otherNames.join(".")) : null;
}

/** Return what an object holds, also when it is written as JSON text; null when the cell is no object. */
export function objectCells({ text, isJson: json }: Cell): Cells | null {
  let objectText = text;
  if (json && text.startsWith('"')) objectText = JSON.parse(text) as string;
  const members = membersOf(objectText);
  return members ? new Map([...members].map(([name, value]) => [name, { text: value, isJson: true }])) : null;
}
