import type { DataTable } from "./definition.ts";

/** Cells that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Write a table as CSV (RFC 4180). Text that a spreadsheet would compute is quoted; numbers are left alone. */
export function csvOf({ columns, rows }: DataTable): string {
  const lines = [columns.map(({ label }) => label), ...rows];
  return lines.map((cells) => cells.map(cellOf).join(",")).join("\r\n") + "\r\n";
}

function cellOf(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
