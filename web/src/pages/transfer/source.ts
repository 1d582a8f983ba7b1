import { DelimitedReader, delimiterOf } from "./delimited.ts";
import { NdjsonReader } from "./ndjson.ts";
import { type FileRow, FileUnreadable, type RefusedRow } from "./fileRow.ts";

/** Read between two moments in which the page can do something else. */
const SLICE_BYTES = 256 * 1024;
/** A line that no file of events has. */
const MAX_CARRY_BYTES = 16 * 1024 ** 2;
const LINE_END = 0x0a;

/** A file as a person chose it. */
export interface Source {
  file: File;
  isNdjson: boolean;
  /** Between the cells of CSV. */
  delimiter: string;
}

/** Rows as far as they are read, and the bytes that they took. */
export interface Slice {
  rows: (FileRow | RefusedRow)[];
  bytes: number;
}

const ADVICE_BY_SUFFIX: [RegExp, string][] = [
  [/\.parquet$/i, "Browsers can't read Parquet. Use `tallyroom import events`."],
  [/\.(gz|zip|zst|bz2|xz)$/i, "Decompress the file first, or use `tallyroom import events`, which reads .gz."],
  [/\.xlsx?$/i, "Save the sheet as CSV (UTF-8) first."],
];

/**
 * Look at the name and the first bytes of a file.
 *
 * @throws FileUnreadable when it is neither NDJSON nor CSV.
 */
export async function openSource(file: File): Promise<Source> {
  const suffixAdvice = ADVICE_BY_SUFFIX.find(([suffix]) => suffix.test(file.name));
  if (suffixAdvice) throw new FileUnreadable(suffixAdvice[1]);
  const firstBytes = new Uint8Array(await file.slice(0, SLICE_BYTES).arrayBuffer());
  if ((firstBytes[0] === 0xff && firstBytes[1] === 0xfe) || (firstBytes[0] === 0xfe && firstBytes[1] === 0xff)) {
    throw new FileUnreadable("The file is in UTF-16. Convert it with `iconv -f UTF-16 -t UTF-8`.");
  }
  const text = decodeUtf8(firstBytes).trimStart();
  const isNdjson = /\.(ndjson|jsonl|json)$/i.test(file.name) || (!/\.(csv|tsv)$/i.test(file.name) && text.startsWith("{"));
  return { file, isNdjson, delimiter: delimiterOf(text.split(/\r?\n|\r/, 1)[0] ?? "", file.name) };
}

/** A reader of the rows of one file. */
export interface RowReader {
  /** The rows, slice by slice, in the order of the file. */
  slices: AsyncGenerator<Slice>;
  /** The columns of CSV, once its header is read. */
  columns: () => string[];
  /** How many cells that are not empty stood in columns of CSV without a name, by number. */
  namelessCellCounts: () => ReadonlyMap<number, number>;
}

/** Read a file in slices, so that the page stays free meanwhile. */
export function readRows({ file, isNdjson, delimiter }: Source): RowReader {
  const csvReader = isNdjson ? null : new DelimitedReader(delimiter);
  const reader = csvReader ?? new NdjsonReader();
  async function* slices(): AsyncGenerator<Slice> {
    for await (const { text, bytes, isLast } of readTexts(file)) yield { rows: reader.read(text, isLast), bytes };
  }
  return {
    slices: slices(),
    columns: () => csvReader?.columns ?? [],
    namelessCellCounts: () => csvReader?.namelessCellCounts ?? new Map<number, number>(),
  };
}

async function* readTexts(file: File): AsyncGenerator<{ text: string; bytes: number; isLast: boolean }> {
  let unreadBytes = new Uint8Array();
  let offset = 0;
  do {
    const chunk = new Uint8Array(await file.slice(offset, offset + SLICE_BYTES).arrayBuffer());
    const isFirst = offset === 0;
    offset += chunk.length;
    const isLast = offset >= file.size || chunk.length === 0;
    const bytes = concatBytes(unreadBytes, chunk);
    // A letter of several bytes never contains the byte of a line end.
    const completeLength = isLast ? bytes.length : bytes.lastIndexOf(LINE_END) + 1;
    unreadBytes = bytes.slice(completeLength);
    if (unreadBytes.length > MAX_CARRY_BYTES) throw new FileUnreadable(`A line of the file has more than ${MAX_CARRY_BYTES} bytes.`);
    const text = decodeUtf8(bytes.subarray(0, completeLength));
    yield { text: isFirst ? text.replace(/^\ufeff/, "") : text, bytes: offset, isLast };
    if (isLast) return;
  } while (offset < file.size);
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decode UTF-8; on a line that is not UTF-8, what cannot be decoded becomes half of a letter, by which it is refused later. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return linesOf(bytes).map(decodeLine).join("");
  }
}

function decodeLine(line: Uint8Array): string {
  try {
    return strictDecoder.decode(line);
  } catch {
    return lenientDecoder.decode(line).replaceAll("\ufffd", "\udc80");
  }
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let lineStart = 0;
  while (lineStart < bytes.length) {
    const lineEndIndex = bytes.indexOf(LINE_END, lineStart);
    const nextStart = lineEndIndex === -1 ? bytes.length : lineEndIndex + 1;
    lines.push(bytes.subarray(lineStart, nextStart));
    lineStart = nextStart;
  }
  return lines;
}
