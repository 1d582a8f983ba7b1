import { countInWords } from "../../core/numbers.ts";
import type { RefusedRow } from "./fileRow.ts";
import type { Totals } from "./importRun.ts";

/** Say the numbers of an import in a sentence: `3 rows: 3 accepted, 0 counted before, 0 refused.` */
export function summaryOf({ accepted, replayed, refused }: Totals): string {
  const [all, ...parts] = [accepted + replayed + refused, accepted, replayed, refused].map((count) => countInWords(count, "row"));
  const [newCount, before, left] = parts.map((part) => part.split(" ")[0]);
  return `${all ?? ""}: ${newCount ?? ""} accepted, ${before ?? ""} counted before, ${left ?? ""} refused.`;
}

/** Say what deserves a remark at the end of an import. */
export function remarksOf({ olderCount: older, withoutOffsetCount: withoutOffset, nameless }: Totals, zone: string, timezone: string): string[] {
  const remarks: string[] = [];
  if (nameless.size > 0) {
    const columns = [...nameless].map(([number, cells]) => {
      return `column ${number} with ${countInWords(cells, "cell that is", "cells that are")} not empty`;
    });
    remarks.push(`Left out, because the header has no name for it: ${columns.join(", ")}.`);
  }
  if (older > 0) {
    remarks.push(`Older than 90 days: ${countInWords(older, "row")}. Choose the span “All time” to see them in lists and charts.`);
  }
  if (withoutOffset > 0 && zone === "" && timezone !== "UTC") {
    remarks.push(
      `Times without a time zone: ${countInWords(withoutOffset, "row")}. They count as UTC. Charts of this workspace count days in ${timezone}.`,
    );
  }
  return remarks;
}

/** Write refused rows as the importer does, one JSON object a line. */
export function refusedFile(rows: readonly RefusedRow[]): string {
  return rows.map(({ line, reason, text }) => `${JSON.stringify({ line, reason, row: parseRow(text) })}\n`).join("");
}

function parseRow(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
