import { type FileRow, type RefusedRow, RowRefused, isRefused } from "./fileRow.ts";

/** What one request may hold. */
export const MAX_ROWS = 500;
const MAX_BYTES = 2 * 1024 ** 2;
const FRAME = '{"events":[]}'.length;

/** A row to be sent: its line in the file, the event as JSON, and what to show if the server refuses it. */
export interface SentRow {
  line: number;
  event: string;
  text: string;
}

/** Consecutive rows of a file, at most as many as one request may hold. */
export interface Batch {
  rows: SentRow[];
  refusals: RefusedRow[];
  /** The line of the last row of either kind. */
  lastLine: number;
  /** How much of the file is read with it, in bytes. */
  bytes: number;
}

/** Make a row into what is sent, or say why it is not. */
export function makeRow(row: FileRow | RefusedRow, map: (row: FileRow) => string): SentRow | RefusedRow {
  if (isRefused(row)) return row;
  const { line, text } = row;
  try {
    return { line, text, event: map(row) };
  } catch (error) {
    if (error instanceof RowRefused) return { line, text, reason: error.message };
    throw error;
  }
}

/** Cuts rows into batches, always at the same places for the same rows. */
export class BatchCutter {
  #batch = emptyBatch();
  #size = FRAME;

  /** Take one row; returns the batch that is full now, if it is. */
  add(row: SentRow | RefusedRow, bytes: number): Batch | null {
    const size = "event" in row ? byteLength(row.event) + 1 : 0;
    const { rows, refusals } = this.#batch;
    const isFull = Math.max(rows.length, refusals.length) >= MAX_ROWS || (rows.length > 0 && this.#size + size > MAX_BYTES);
    const full = isFull ? this.rest() : null;
    const entry = size + FRAME > MAX_BYTES ? refuseTooLarge(row, size) : row;
    if ("event" in entry) {
      this.#batch.rows.push(entry);
      this.#size += size;
    } else this.#batch.refusals.push(entry);
    this.#batch.lastLine = row.line;
    this.#batch.bytes = bytes;
    return full;
  }

  /** Return what is not in a batch yet; null if that is nothing. */
  rest(): Batch | null {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    this.#size = FRAME;
    return batch.lastLine > 0 ? batch : null;
  }
}

const emptyBatch = (): Batch => ({ rows: [], refusals: [], lastLine: 0, bytes: 0 });

const refuseTooLarge = ({ line, text }: SentRow | RefusedRow, size: number): RefusedRow => {
  return { line, text, reason: `the row has ${size - 1} bytes, more than a whole request may have` };
};

/** Return the body that sends rows. */
export const bodyOf = (rows: readonly SentRow[]): string => `{"events":[${rows.map(({ event }) => event).join(",")}]}`;

const encoder = new TextEncoder();
const NOT_ASCII = /[^\0-\x7f]/;

function byteLength(text: string): number {
  return NOT_ASCII.test(text) ? encoder.encode(text).length : text.length;
}

/**
 * Names batches by their content and that of all before them, as the importer does for a stream: the same rows, mapped
 * in the same way, get the same names, so the server counts them once within 24 hours.
 */
export class BatchNamer {
  #one = 0xdeadbeef;
  #other = 0x41c6ce57;
  #third = 0x9e3779b9;

  /** Return the idempotency key of the next batch. */
  next(body: string): string {
    for (let at = 0; at < body.length; at += 1) {
      const code = body.charCodeAt(at);
      this.#one = Math.imul(this.#one ^ code, 2654435761);
      this.#other = Math.imul(this.#other ^ code, 1597334677);
      this.#third = Math.imul(this.#third ^ code, 2246822507);
      this.#other ^= this.#one >>> 15;
      this.#third ^= this.#other >>> 13;
      this.#one ^= this.#third >>> 16;
    }
    const words = [this.#one, this.#other, this.#third].map((word) => (word >>> 0).toString(16).padStart(8, "0"));
    return `import-${words.join("")}-${body.length}`;
  }
}
