import { writeExact } from "../../core/exactJson.ts";
import { idText, isId } from "../../core/ids.ts";
import { formatExact } from "../../core/numbers.ts";
import { formatBriefly, dateTime } from "../../core/time.ts";
import type { Answers, DataTable } from "../definition.ts";

type Row = Answers["table"]["rows"][number];

const HEADS: Partial<Record<string, string>> = { time: "Time", event: "Event", actor: "Actor", source: "Source" };

/** Head a column: "Time", or the key of a property. */
export const headOf = (column: string): string => HEADS[column] ?? column.replace(/^prop:/, "");

const isIdColumn = (column = ""): boolean => column.startsWith("prop:") && isId(headOf(column));

/** Write a cell: the actor by their name, moments on the zone's clocks, and any other value as it was sent. */
export function cellOf({ values, event }: Row, column: string, timezone: string): string {
  const value: unknown = values[column];
  if (value === null || value === undefined) return "";
  if (column === "time" && typeof value === "string") return dateTime(value, timezone);
  if (column === "actor" && event?.actorLabel) return event.actorLabel;
  if (isNumber(value)) return isIdColumn(column) ? idText(value) : formatExact(value);
  return typeof value === "string" ? value : writeExact(value, 0);
}

/** Write a cell as the card has room for it: as {@link cellOf}, but a moment without what today says. */
export function shortCellOf(row: Row, column: string, timezone: string): string {
  const value: unknown = row.values[column];
  return column === "time" && typeof value === "string" ? formatBriefly(value, timezone) : cellOf(row, column, timezone);
}

/** Return whether a column holds numbers only. */
export function isNumeric(rows: readonly Row[], column: string): boolean {
  const cells = rows.map(({ values }): unknown => values[column]).filter((value) => value !== null && value !== undefined);
  return cells.length > 0 && cells.every(isNumber);
}

const isNumber = (value: unknown): value is number | bigint => typeof value === "number" || typeof value === "bigint";

/** Return the events as a table of words and numbers. */
export function tableOf({ columns, rows }: Answers["table"], timezone: string): DataTable {
  const cellValue = (row: Row, column: string) => {
    const value: unknown = row.values[column];
    return isNumber(value) ? value : cellOf(row, column, timezone);
  };
  return {
    columns: columns.map((column) => ({ label: headOf(column), numeric: isNumeric(rows, column) })),
    rows: rows.map((row) => columns.map((column) => cellValue(row, column))),
    isIdCell: columns.some((column) => isIdColumn(column)) ? (_, columnIndex) => isIdColumn(columns[columnIndex]) : undefined,
  };
}
