import { makeRow } from "./batches.ts";
import { mapperOf } from "./mapper.ts";
import type { Mapping } from "./mapping.ts";
import { membersOf } from "./fileRow.ts";
import type { Sample } from "./sample.ts";

/** An event as it will be sent, or why a row is none. */
export interface PreviewRow {
  line: number;
  refusal: string | null;
  /** Its fields, as JSON that is written exactly as it is sent. */
  event: ReadonlyMap<string, string>;
}

/** Return the first rows of a file as a mapping makes them. */
export function previewRows(sample: Sample, mapping: Mapping, isNdjson: boolean): PreviewRow[] {
  const toEventJson = mapperOf(mapping, isNdjson);
  return sample.rows.map((row) => {
    const entry = makeRow(row, toEventJson);
    if ("reason" in entry) return { line: entry.line, refusal: entry.reason, event: new Map() };
    return { line: entry.line, refusal: null, event: membersOf(entry.eventJson) ?? new Map<string, string>() };
  });
}
