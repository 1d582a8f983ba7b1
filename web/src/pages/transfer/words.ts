import { countInWords } from "../../core/numbers.ts";
import type { RefusedRow } from "./fileRow.ts";
import type { Totals } from "./importRun.ts";

/** Say the numbers of an import in a sentence: `3 rows: 3 accepted, 0 already counted, 0 refused.` */
export function summaryOf({ acceptedCount, replayedCount, refusedCount }: Totals): string {
  const counts = [acceptedCount + replayedCount + refusedCount, acceptedCount, replayedCount, refusedCount];
  const [allText, ...otherTexts] = counts.map((count) => countInWords(count, "row"));
  const [acceptedText, replayedText, refusedText] = otherTexts.map((text) => text.split(" ")[0]);
  return `${allText ?? ""}: ${acceptedText ?? ""} accepted, ${replayedText ?? ""} already counted, ${refusedText ?? ""} refused.`;
}

/** Say what deserves a remark at the end of an import. */
export function remarksOf({ olderCount, withoutOffsetCount, namelessCellCounts }: Totals, rowTimezone: string, timezone: string): string[] {
  const remarks: string[] = [];
  if (namelessCellCounts.size > 0) {
    const columns = [...namelessCellCounts].map(([number, cellCount]) => `column ${number} (${countInWords(cellCount, "cell")})`);
    remarks.push(`Ignored because the header has no name: ${columns.join(", ")}.`);
  }
  if (olderCount > 0) {
    remarks.push(`Older than 90 days: ${countInWords(olderCount, "row")}. Choose “All time” to see them in lists and charts.`);
  }
  if (withoutOffsetCount > 0 && rowTimezone === "" && timezone !== "UTC") {
    remarks.push(
      `Times without a time zone: ${countInWords(withoutOffsetCount, "row")}. They are read as UTC. Charts in this workspace count days in ${timezone}.`,
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
