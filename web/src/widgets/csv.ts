import type { DataTable } from "./definition.ts";

const SIGNS = String.raw`=+@\-\uff1d\uff0b\uff20\uff0d\ufe66\ufe62\ufe6b\ufe63`;
const BREAKS = String.raw`\t-\r\x85\u2028\u2029`;
const INVISIBLE =
  String.raw`\x00-\x08\x0e-\x20\x7f-\x84\x86-\xa0\xad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f` +
  String.raw`\u202a-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb` +
  String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;

/** How a text begins that a spreadsheet may run: with a sign, after anything that shows nothing. `rest/spreadsheet.py` has the same. */
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|[${BREAKS}${INVISIBLE}]*[${SIGNS}])`, "u");

/** Where a spreadsheet that splits a text may find another. `rest/spreadsheet.py` has the same. */
const LATER_FORMULA = new RegExp(`[${BREAKS};,"](?=[${INVISIBLE}]*[${SIGNS}])`, "gu");

/** Write a table as CSV (RFC 4180). All text is in quotes, and no part of one can be taken for a formula; numbers are left alone. */
export function csvOf({ columns, rows }: DataTable): string {
  const lines = [columns.map(({ label }) => label), ...rows];
  return lines.map((cells) => cells.map(cellOf).join(",")).join("\r\n") + "\r\n";
}

function cellOf(value: string | number | bigint | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const guard = FORMULA.test(value) ? "'" : "";
  return `"${guard}${value.replace(LATER_FORMULA, "$&'").replaceAll('"', '""')}"`;
}
