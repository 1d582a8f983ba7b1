import { type Cell, type FileRow, FileUnreadable, type RefusedRow } from "./fileRow.ts";

/** The most characters of a cell; events are smaller, so a larger one comes from a quote that was never closed. */
const MAX_CELL_LENGTH = 2 * 1024 ** 2;

/** A record of CSV: the line on which it begins, and its cells or what is wrong with it. */
interface CsvRecord {
  line: number;
  /** The line on which it ends. */
  lastLine: number;
  cells: string[];
  fault: string | null;
}

/**
 * Reads CSV piece by piece: quoted cells, line breaks inside them, any line ending. What was begun stays for the next
 * piece. The first record is the header.
 */
export class DelimitedReader {
  /** The names in the header, without blanks around them; columns without a name are left out. */
  columns: string[] = [];
  /** How many cells that are not empty were left out, by the number of their nameless column, from 1. */
  readonly namelessCellCounts = new Map<number, number>();
  readonly #delimiter: string;
  #header: string[] | null = null;
  #line = 1;
  #unread = "";

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
    const buffer = this.#unread + text;
    const rows: (FileRow | RefusedRow)[] = [];
    let position = 0;
    while (position < buffer.length) {
      const next = this.#nextRecord(buffer, position, isLast);
      if (next === null) break;
      position = next.end;
      const row = this.#rowOf(next.record, buffer.slice(next.start, next.end).replace(/\r?\n$/, ""));
      if (row) rows.push(row);
    }
    this.#unread = buffer.slice(position);
    if (this.#unread.length > MAX_CELL_LENGTH) throw new FileUnreadable(`A line of the file has more than ${MAX_CELL_LENGTH} characters, so it is not CSV.`);
    if (isLast && this.#header === null) throw new FileUnreadable("The file is empty.");
    return rows;
  }

  /** The record that begins at `start`; null when its end is not read yet. */
  #nextRecord(text: string, start: number, isLast: boolean): { record: CsvRecord; start: number; end: number } | null {
    const scanner = new RecordScanner(text, start, this.#delimiter, isLast);
    const end = scanner.scan();
    if (end === null) return null;
    const line = this.#line;
    this.#line += countLineEnds(text, start, end);
    const lastLine = this.#line - (/[\r\n]/.test(text[end - 1] ?? "") ? 1 : 0);
    return { record: { line, lastLine, cells: scanner.cells, fault: scanner.fault }, start, end };
  }

  #rowOf({ line, lastLine, cells, fault }: CsvRecord, text: string): FileRow | RefusedRow | null {
    if (this.#header === null) {
      if (fault) throw new FileUnreadable(`The header of the file is not CSV: ${fault}.`);
      this.#readHeader(cells);
      return null;
    }
    if (fault) {
      return { line, reason: `the row${lastLine > line ? `, which ends on line ${lastLine},` : ""} is not CSV: ${fault}`, text };
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
    if (duplicate !== undefined) throw new FileUnreadable(`The file has more than one column named ${duplicate}.`);
    this.#header = header;
    this.columns = columns;
  }

  #cellsOf(cells: string[], header: string[]): Map<string, Cell> {
    const cellsByColumn = new Map<string, Cell>();
    cells.forEach((text, index) => {
      const name = header[index] ?? "";
      if (text === "") return;
      if (name === "") this.namelessCellCounts.set(index + 1, (this.namelessCellCounts.get(index + 1) ?? 0) + 1);
      else cellsByColumn.set(name, { text, isJson: false });
    });
    return cellsByColumn;
  }
}

/** Reads one record, letter by letter where it is quoted. */
class RecordScanner {
  readonly cells: string[] = [];
  fault: string | null = null;
  readonly #text: string;
  readonly #delimiter: string;
  readonly #isLast: boolean;
  #position: number;

  constructor(text: string, position: number, delimiter: string, isLast: boolean) {
    this.#text = text;
    this.#position = position;
    this.#delimiter = delimiter;
    this.#isLast = isLast;
  }

  /** Return where the record ends, behind its line end; null when that is not read yet. */
  scan(): number | null {
    for (;;) {
      const isRead = this.#text[this.#position] === '"' ? this.#readQuoted() : this.#readBare();
      if (!isRead) return null;
      const nextLetter = this.#text[this.#position];
      if (nextLetter === this.#delimiter && this.fault === null) {
        this.#position += 1;
        continue;
      }
      return this.#lineEndPosition();
    }
  }

  #readBare(): boolean {
    const start = this.#position;
    const end = bareCellEnd(this.#text, start, this.#delimiter);
    if (end === this.#text.length && !this.#isLast) return false;
    this.cells.push(this.#text.slice(start, end));
    this.#position = end;
    return true;
  }

  #readQuoted(): boolean {
    let cell = "";
    let from = this.#position + 1;
    for (;;) {
      const quoteIndex = this.#text.indexOf('"', from);
      if (quoteIndex === -1) return this.#endUnclosed();
      cell += this.#text.slice(from, quoteIndex);
      if (this.#text[quoteIndex + 1] !== '"') {
        this.#position = quoteIndex + 1;
        break;
      }
      cell += '"';
      from = quoteIndex + 2;
    }
    // Whether a second quote follows is not known yet.
    if (this.#position === this.#text.length && !this.#isLast) return false;
    this.cells.push(cell);
    const nextLetter = this.#text[this.#position];
    if (nextLetter !== undefined && nextLetter !== this.#delimiter && nextLetter !== "\n" && nextLetter !== "\r") {
      return this.#failRecord(`'${this.#delimiter}' expected after '"'`);
    }
    return true;
  }

  #endUnclosed(): boolean {
    if (!this.#isLast) return false;
    this.#position = this.#text.length;
    this.fault = "unexpected end of data";
    return true;
  }

  /** Leave the rest of the line alone. */
  #failRecord(fault: string): boolean {
    const end = this.#text.slice(this.#position).search(/[\r\n]/);
    if (end === -1 && !this.#isLast) return false;
    this.fault = fault;
    this.#position = end === -1 ? this.#text.length : this.#position + end;
    return true;
  }

  #lineEndPosition(): number | null {
    const { length } = this.#text;
    if (this.#text[this.#position] === "\r") {
      if (this.#position + 1 === length && !this.#isLast) return null;
      return this.#position + (this.#text[this.#position + 1] === "\n" ? 2 : 1);
    }
    return Math.min(this.#position + 1, length);
  }
}

/** Where a cell without quotes ends. */
function bareCellEnd(text: string, from: number, delimiter: string): number {
  for (let position = from; position < text.length; position += 1) {
    const letter = text[position];
    if (letter === delimiter || letter === "\n" || letter === "\r") return position;
  }
  return text.length;
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let position = from; position < to; position += 1) {
    const letter = text[position];
    if (letter === "\n" || (letter === "\r" && text[position + 1] !== "\n")) count += 1;
  }
  return count;
}

/** Return the character between the cells of a header: a comma, unless another is in it more often. */
export function delimiterOf(header: string, name: string): string {
  if (name.toLowerCase().endsWith(".tsv")) return "\t";
  const unquotedHeader = header.replace(/"[^"]*"/g, "");
  const count = (letter: string) => unquotedHeader.split(letter).length - 1;
  return [",", ";", "\t", "|"].reduce((best, letter) => (count(letter) > count(best) ? letter : best));
}
