import { type ExportQuery, openExport } from "../../api/export.ts";

/** How many events the page holds at most until the file is whole; a larger export is a plain download. */
export const MAX_EVENTS_IN_MEMORY = 250_000;
/** The same in bytes, for events that are large. */
const MAX_FILE_BYTES = 512 * 1024 ** 2;
const LINE_END = 0x0a;

/** How far an export is. */
export interface ExportProgress {
  byteCount: number;
  /** Line ends so far: events of NDJSON, about those of CSV, and nothing in Parquet. */
  lineCount: number;
}

/** A whole export. */
export interface ExportedFile {
  name: string;
  blob: Blob;
  notices: string[];
}

/** What is thrown when an export broke off or is too large, with what to do. */
export class ExportBroken extends Error {}

/**
 * Read an export into memory.
 *
 * @throws ApiError when it is refused; ExportBroken when it did not come whole.
 */
export async function readExport(
  query: ExportQuery,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<ExportedFile> {
  const { stream, name, notices } = await openExport(query, signal);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  let byteCount = 0;
  let lineCount = 0;
  for (;;) {
    const chunk = await readChunk(reader);
    if (!chunk) break;
    chunks.push(chunk);
    byteCount += chunk.length;
    lineCount += countLineEnds(chunk);
    if (byteCount > MAX_FILE_BYTES) {
      void reader.cancel();
      throw new ExportBroken("The file is larger than this page can hold. Use “Download directly”.");
    }
    onProgress({ byteCount, lineCount });
  }
  return { name, blob: new Blob(chunks, { type: "application/octet-stream" }), notices };
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return (await reader.read()).value;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ExportBroken("The export was interrupted, and nothing was saved. Try again.");
  }
}

function countLineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === LINE_END) count += 1;
  return count;
}

/** Write a size as people read it: `512 B`, `3.4 MB`. */
export function sizeInWords(byteCount: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = byteCount < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(byteCount) / 3));
  const value = byteCount / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power] ?? ""}`;
}
