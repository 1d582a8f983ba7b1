import { type FileRow, type RefusedRow, RowRefused, isRefused } from "./fileRow.ts";

/** What one request may hold. */
export const MAX_BATCH_ROWS = 500;
const MAX_BODY_BYTES = 2 * 1024 ** 2;
const FRAME_BYTES = '{"events":[]}'.length;

/** A row to be sent: its line in the file, the event as JSON, and what to show if the server refuses it. */
export interface SentRow {
  line: number;
  eventJson: string;
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
export function makeRow(row: FileRow | RefusedRow, toEventJson: (row: FileRow) => string): SentRow | RefusedRow {
  if (isRefused(row)) return row;
  const { line, text } = row;
  try {
    return { line, text, eventJson: toEventJson(row) };
  } catch (error) {
    if (error instanceof RowRefused) return { line, text, reason: error.message };
    throw error;
  }
}

/** Cuts rows into batches, always at the same places for the same rows. */
export class BatchCutter {
  #batch = emptyBatch();
  #bodyBytes = FRAME_BYTES;

  /** Take one row; returns the batch that is full now, if it is. */
  add(row: SentRow | RefusedRow, bytes: number): Batch | null {
    const rowBytes = "eventJson" in row ? byteLength(row.eventJson) + 1 : 0;
    const { rows, refusals } = this.#batch;
    const isFull =
      Math.max(rows.length, refusals.length) >= MAX_BATCH_ROWS ||
      (rows.length > 0 && this.#bodyBytes + rowBytes > MAX_BODY_BYTES);
    const fullBatch = isFull ? this.takeRest() : null;
    const entry = rowBytes + FRAME_BYTES > MAX_BODY_BYTES ? refuseTooLarge(row, rowBytes) : row;
    if ("eventJson" in entry) {
      this.#batch.rows.push(entry);
      this.#bodyBytes += rowBytes;
    } else this.#batch.refusals.push(entry);
    this.#batch.lastLine = row.line;
    this.#batch.bytes = bytes;
    return fullBatch;
  }

  /** Return what is not in a batch yet; null if that is nothing. */
  takeRest(): Batch | null {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    this.#bodyBytes = FRAME_BYTES;
    return batch.lastLine > 0 ? batch : null;
  }
}

const emptyBatch = (): Batch => ({ rows: [], refusals: [], lastLine: 0, bytes: 0 });

const refuseTooLarge = ({ line, text }: SentRow | RefusedRow, rowBytes: number): RefusedRow => {
  return { line, text, reason: `the row is ${rowBytes - 1} bytes, more than a request can hold` };
};

/** Return the body that sends rows. */
export const bodyOf = (rows: readonly SentRow[]): string => `{"events":[${rows.map(({ eventJson }) => eventJson).join(",")}]}`;

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
  #hashA = 0xdeadbeef;
  #hashB = 0x41c6ce57;
  #hashC = 0x9e3779b9;

  /** Return the idempotency key of the next batch. */
  nextKey(body: string): string {
    for (let index = 0; index < body.length; index += 1) {
      const code = body.charCodeAt(index);
      this.#hashA = Math.imul(this.#hashA ^ code, 2654435761);
      this.#hashB = Math.imul(this.#hashB ^ code, 1597334677);
      this.#hashC = Math.imul(this.#hashC ^ code, 2246822507);
      this.#hashB ^= this.#hashA >>> 15;
      this.#hashC ^= this.#hashB >>> 13;
      this.#hashA ^= this.#hashC >>> 16;
    }
    const hexWords = [this.#hashA, this.#hashB, this.#hashC].map((word) => (word >>> 0).toString(16).padStart(8, "0"));
    return `import-${hexWords.join("")}-${body.length}`;
  }
}
