import { momentOf } from "../../core/time.ts";
import { type Cell, RowRefused, isNumber, textOf } from "./fileRow.ts";

/** How the times of a file are written. */
export const UNITS = ["auto", "iso", "s", "ms", "us", "ns"] as const;
export type Unit = (typeof UNITS)[number];

const MS_BY_UNIT: Record<Exclude<Unit, "auto" | "iso">, number> = { s: 1e3, ms: 1, us: 1e-3, ns: 1e-6 };
/** Smaller numbers are more likely years or dates without dashes than seconds, so a person has to say what they are. */
const MIN_UNIX_NUMBER = 1e8;
/** A number below the bound is in the unit: each covers March 1973 to the year 5138. */
const UNIT_BOUNDS = [[1e11, "s"], [1e14, "ms"], [1e17, "us"]] as const;
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const MAX_QUOTE_LENGTH = 40;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const NUMERIC = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,9})?$/;
const OFFSET = /(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
const DATE_TIME_PARTS =
  /^(\d{4})-?(\d{2})-?(\d{2})[Tt ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d+))?)?([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;
/** The server takes either form, and no mixture of them. */
const EXTENDED_FORM = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}|$|[Zz+-])/;
const BASIC_FORM = /^\d{8}[Tt ]\d{4}(?:\d{2}|$|[Zz+-])/;

/**
 * Return the moment of a cell as ISO 8601 text that the server accepts.
 *
 * @param unit the form of the column; `auto` reads a text as ISO 8601 and infers the unit of a number from its size.
 * @param rowTimezone of texts without an offset; UTC if it is "".
 * @throws RowRefused when the cell is not a time in this unit.
 */
export function readMoment(cell: Cell, unit: Unit, rowTimezone: string): string {
  const text = textOf(cell, "timestamp").trim();
  const isNumeric = isNumber(cell) || NUMERIC.test(text);
  return unit === "iso" || (unit === "auto" && !isNumeric) ? momentFromText(text, rowTimezone) : momentFromNumber(text, unit);
}

function momentFromText(text: string, rowTimezone: string): string {
  const moment = DATE.test(text) ? `${text}T00:00:00` : text;
  const momentMs = parseMomentMs(moment);
  if (momentMs === null) throw new RowRefused(`timestamp: '${text.slice(0, MAX_QUOTE_LENGTH)}' is not an ISO 8601 date-time`);
  if (rowTimezone === "" || hasOffset(moment)) return moment;
  if (momentMs < 0) throw new RowRefused(`timestamp: '${text.slice(0, MAX_QUOTE_LENGTH)}' is before the year 1970`);
  const seconds = Math.floor(momentMs / 1000);
  return new Date(momentOf(seconds, rowTimezone) * 1000 + (momentMs - seconds * 1000)).toISOString();
}

function momentFromNumber(text: string, unit: Unit): string {
  if (!NUMERIC.test(text)) throw new RowRefused(`timestamp: '${text.slice(0, MAX_QUOTE_LENGTH)}' is not a Unix time`);
  const number = Number(text);
  const timeUnit = unit === "auto" || unit === "iso" ? unitOf(number, text) : unit;
  const momentMs = Math.floor(number * MS_BY_UNIT[timeUnit] + 1e-6);
  if (!(number >= 0 && momentMs <= LATEST_MS)) {
    throw new RowRefused(`timestamp: ${text.slice(0, MAX_QUOTE_LENGTH)} in ${timeUnit} is not between the years 1970 and 9999`);
  }
  return new Date(momentMs).toISOString();
}

function unitOf(number: number, text: string): keyof typeof MS_BY_UNIT {
  if (number < MIN_UNIX_NUMBER) throw new RowRefused(`timestamp: ${text.slice(0, MAX_QUOTE_LENGTH)} is ambiguous; choose its unit`);
  return UNIT_BOUNDS.find(([bound]) => number < bound)?.[1] ?? "ns";
}

/** Return whether these texts are dates with a time of day; a bare date may as well be a birthday. */
export const haveTimes = (texts: readonly string[]): boolean => texts.length > 0 && texts.every((text) => parseMomentMs(text.trim()) !== null);

/** Return whether an ISO 8601 date-time states its offset from UTC; a bare date does not. */
export function hasOffset(moment: string): boolean {
  return OFFSET.test(moment.slice(10));
}

/** Return the milliseconds since 1970 of an ISO 8601 date-time, UTC without an offset; null if it is none. */
export function parseMomentMs(text: string): number | null {
  const match = DATE_TIME_PARTS.exec(text);
  if (!match || !(EXTENDED_FORM.test(text) || BASIC_FORM.test(text))) return null;
  const [year, month, day, hour, minute, second = 0] = match.slice(1, 7).map((part?: string) => Number(part ?? 0));
  const fraction = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day); // `Date.UTC` takes 99 for 1999
  if (date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day || !year) return null;
  return date.setUTCHours(hour ?? 0, minute, second, fraction) - offsetMs(match[8] ?? "");
}

function offsetMs(offset: string): number {
  if (offset === "" || offset.toUpperCase() === "Z") return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(":", "") || 0);
  return (offset.startsWith("-") ? -1 : 1) * minutes * 60_000;
}
