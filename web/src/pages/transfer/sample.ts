import { haveDecimalCommas } from "./numbers.ts";
import { type FileRow, type RefusedRow, isRefused } from "./fileRow.ts";
import { type Source, readRows } from "./source.ts";
import { haveTimes } from "./timestamps.ts";

/** Rows that the preview shows. */
export const PREVIEW_ROWS = 10;
/** Rows that are looked at for columns, where each row has its own. */
const SAMPLE_ROWS = 200;
const LONGEST_EXAMPLE = 80;

/** A column with the first value that stands in it. */
export interface SampleColumn {
  name: string;
  example: string;
  /** Whether its values are numbers such as `1.234,50`. */
  hasDecimalCommas: boolean;
  /** Whether its values are dates with a time of day. */
  hasTimes: boolean;
}

/** The beginning of a file. */
export interface Sample {
  columns: SampleColumn[];
  rows: (FileRow | RefusedRow)[];
}

/**
 * Read the first rows of a file, and the columns that they have.
 *
 * @throws FileUnreadable when it is not what it seems.
 */
export async function sampleOf(source: Source): Promise<Sample> {
  const reader = readRows(source);
  const rows: (FileRow | RefusedRow)[] = [];
  for await (const slice of reader.slices) {
    for (const row of slice.rows) rows.push(row);
    if (rows.length >= SAMPLE_ROWS) break;
  }
  const sampleRows = rows.slice(0, SAMPLE_ROWS);
  const names = new Set(reader.columns());
  for (const row of sampleRows) if (!isRefused(row)) for (const name of row.cells.keys()) names.add(name);
  return { rows: sampleRows.slice(0, PREVIEW_ROWS), columns: [...names].map((name) => sampleColumn(name, sampleRows)) };
}

function sampleColumn(name: string, rows: readonly (FileRow | RefusedRow)[]): SampleColumn {
  const cells = rows.map((row) => (isRefused(row) ? undefined : row.cells.get(name)?.text));
  const texts = cells.filter((text): text is string => text !== undefined && text !== "null");
  return {
    name,
    example: (texts[0] ?? "").slice(0, LONGEST_EXAMPLE),
    hasDecimalCommas: haveDecimalCommas(texts),
    hasTimes: haveTimes(texts.filter((text) => text.trim() !== "")),
  };
}
