import { type Cell, type FileRow, FileUnreadable, type RefusedRow } from "./fileRow.ts";

/** The most characters of a cell; events are smaller, so a larger one comes from a quote that was never closed. */
const MAX_CELL = 2 * 1024 ** 2;

/** A record of CSV: the line on which it begins, and its cells or what is wrong with it. */
interface Cut {
  line: number;
  /** The line on which it ends. */
  last: number;
  cells: string[];
  fault: string | null;
}

/**
 * Reads CSV piece by piece: quoted cells, line breaks inside them, any line ending. What was begun stays for the next
 * piece. The first record is the header.
 */
export class Delimited {
  /** The names in the header, without blanks around them; columns without a name are left out. */
  columns: string[] = [];
  /** How many cells that are not empty were left out, by the number of their nameless column, from 1. */
  readonly nameless = new Map<number, number>();
  readonly #delimiter: string;
  #header: string[] | null = null;
  #line = 1;
  #rest = "";

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /**
   * Return the rows that end within the text read so far.
   *
   * @param isLast whether the file ends here.
   * @throws FileUnreadable when the header cannot be one.
   */
  read(text: string, isLast: boolean): (FileRow | RefusedRow)[] {
    const buffer = this.#rest + text;
    const rows: (FileRow | RefusedRow)[] = [];
    let at = 0;
    while (at < buffer.length) {
      const cut = this.#cut(buffer, at, isLast);
      if (cut === null) break;
      at = cut.end;
      const row = this.#rowOf(cut.record, buffer.slice(cut.start, cut.end).replace(/\r?\n$/, ""));
      if (row) rows.push(row);
    }
    this.#rest = buffer.slice(at);
    if (this.#rest.length > MAX_CELL) throw new FileUnreadable(`A line of the file has more than ${MAX_CELL} characters, so it is not CSV.`);
    if (isLast && this.#header === null) throw new FileUnreadable("The file is empty.");
    return rows;
  }

  /** The record that begins at `start`; null when its end is not read yet. */
  #cut(text: string, start: number, isLast: boolean): { record: Cut; start: number; end: number } | null {
    const scan = new Scan(text, start, this.#delimiter, isLast);
    const end = scan.record();
    if (end === null) return null;
    const line = this.#line;
    this.#line += lineEnds(text, start, end);
    const last = this.#line - (/[\r\n]/.test(text[end - 1] ?? "") ? 1 : 0);
    return { record: { line, last, cells: scan.cells, fault: scan.fault }, start, end };
  }

  #rowOf({ line, last, cells, fault }: Cut, text: string): FileRow | RefusedRow | null {
    if (this.#header === null) {
      if (fault) throw new FileUnreadable(`The header of the file is not CSV: ${fault}.`);
      this.#readHeader(cells);
      return null;
    }
    if (fault) {
      return { line, reason: `the row${last > line ? `, which ends on line ${last},` : ""} is not CSV: ${fault}`, text };
    }
    if (cells.length === 1 && cells[0] === "") return null;
    if (cells.length !== this.#header.length) {
      return { line, reason: `the row has ${cells.length} cells, the header ${this.#header.length}`, text };
    }
    return { line, cells: this.#cellsOf(cells, this.#header), text };
  }

  #readHeader(cells: string[]): void {
    const header = cells.map((name) => name.trim());
    const columns = header.filter((name) => name !== "");
    const duplicate = columns.find((name, index) => columns.indexOf(name) !== index);
    if (duplicate !== undefined) throw new FileUnreadable(`The file has more than one column ${duplicate}.`);
    this.#header = header;
    this.columns = columns;
  }

  #cellsOf(cells: string[], header: string[]): Map<string, Cell> {
    const cellsByColumn = new Map<string, Cell>();
    cells.forEach((text, index) => {
      const name = header[index] ?? "";
      if (text === "") return;
      if (name === "") this.nameless.set(index + 1, (this.nameless.get(index + 1) ?? 0) + 1);
      else cellsByColumn.set(name, { text, isJson: false });
    });
    return cellsByColumn;
  }
}

/** Reads one record, letter by letter where it is quoted. */
class Scan {
  readonly cells: string[] = [];
  fault: string | null = null;
  readonly #text: string;
  readonly #delimiter: string;
  readonly #isLast: boolean;
  #at: number;

  constructor(text: string, at: number, delimiter: string, isLast: boolean) {
    this.#text = text;
    this.#at = at;
    this.#delimiter = delimiter;
    this.#isLast = isLast;
  }

  /** Return where the record ends, behind its line end; null when that is not read yet. */
  record(): number | null {
    for (;;) {
      const read = this.#text[this.#at] === '"' ? this.#quoted() : this.#bare();
      if (!read) return null;
      const next = this.#text[this.#at];
      if (next === this.#delimiter && this.fault === null) {
        this.#at += 1;
        continue;
      }
      return this.#lineEnd();
    }
  }

  #bare(): boolean {
    const start = this.#at;
    const end = firstOf(this.#text, start, this.#delimiter);
    if (end === this.#text.length && !this.#isLast) return false;
    this.cells.push(this.#text.slice(start, end));
    this.#at = end;
    return true;
  }

  #quoted(): boolean {
    let cell = "";
    let from = this.#at + 1;
    for (;;) {
      const quote = this.#text.indexOf('"', from);
      if (quote === -1) return this.#unclosed();
      cell += this.#text.slice(from, quote);
      if (this.#text[quote + 1] !== '"') {
        this.#at = quote + 1;
        break;
      }
      cell += '"';
      from = quote + 2;
    }
    // Whether a second quote follows is not known yet.
    if (this.#at === this.#text.length && !this.#isLast) return false;
    this.cells.push(cell);
    const next = this.#text[this.#at];
    if (next !== undefined && next !== this.#delimiter && next !== "\n" && next !== "\r") {
      return this.#fails(`'${this.#delimiter}' expected after '"'`);
    }
    return true;
  }

  #unclosed(): boolean {
    if (!this.#isLast) return false;
    this.#at = this.#text.length;
    this.fault = "unexpected end of data";
    return true;
  }

  /** Leave the rest of the line alone. */
  #fails(fault: string): boolean {
    const end = this.#text.slice(this.#at).search(/[\r\n]/);
    if (end === -1 && !this.#isLast) return false;
    this.fault = fault;
    this.#at = end === -1 ? this.#text.length : this.#at + end;
    return true;
  }

  #lineEnd(): number | null {
    const { length } = this.#text;
    if (this.#text[this.#at] === "\r") {
      if (this.#at + 1 === length && !this.#isLast) return null;
      return this.#at + (this.#text[this.#at + 1] === "\n" ? 2 : 1);
    }
    return Math.min(this.#at + 1, length);
  }
}

/** Where a cell without quotes ends. */
function firstOf(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === delimiter || letter === "\n" || letter === "\r") return at;
  }
  return text.length;
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const letter = text[at];
    if (letter === "\n" || (letter === "\r" && text[at + 1] !== "\n")) count += 1;
  }
  return count;
}

/** Return the character between the cells of a header: a comma, unless another is in it more often. */
export function delimiterOf(header: string, name: string): string {
  if (name.toLowerCase().endsWith(".tsv")) return "\t";
  const bare = header.replace(/"[^"]*"/g, "");
  const count = (letter: string) => bare.split(letter).length - 1;
  return [",", ";", "\t", "|"].reduce((best, letter) => (count(letter) > count(best) ? letter : best));
}
