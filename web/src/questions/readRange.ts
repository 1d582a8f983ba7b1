import type { TimeRange } from "../core/timeRanges.ts";
import { addDays, timeRangeOfDays } from "../scope/days.ts";
import { RANGES } from "./language.ts";
import type { Reader } from "./Reader.ts";

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\S+$/;
const EXAMPLE = [{ text: "from", detail: "a day, to a day" }];

/** Read a time range, if one comes next: "last 7 days", "2026-11-01 to 2026-11-14" with both days. */
export function readRange(reader: Reader, timezone: string): TimeRange | undefined {
  const timeRange = reader.takesPhrase(RANGES);
  if (timeRange !== undefined) return { timeRange };
  reader.expect(EXAMPLE);
  const hasFrom = reader.peek()?.form === "word" && reader.peek()?.text.toLowerCase() === "from" && reader.takesWord("from");
  const isNext = isTime(reader.peek()?.text);
  if (!isNext && hasFrom) reader.markNext();
  return isNext ? readBounds(reader, timezone) : undefined;
}

function readBounds(reader: Reader, timezone: string): TimeRange | undefined {
  const firstText = reader.takeToken()?.text ?? "";
  reader.require("to");
  const lastText = isTime(reader.peek()?.text) ? (reader.peek()?.text ?? "") : "";
  const timeRange = timeRangeBetween(firstText, lastText, timezone);
  reader.expect([{ text: firstText }]);
  if (timeRange) reader.takeToken();
  else reader.markNext();
  return timeRange ?? undefined;
}

/** Return the time range between two days of a zone, both included, or two moments; null if they are out of order. */
function timeRangeBetween(firstText: string, lastText: string, timezone: string): TimeRange | null {
  if (DAY.test(firstText) && DAY.test(lastText)) return timeRangeOfDays(firstText, lastText, timezone);
  const [from, to] = [Date.parse(firstText), Date.parse(lastText)];
  return from < to ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() } : null;
}

const isTime = (text: string | undefined): boolean =>
  text !== undefined && (DAY.test(text) || MOMENT.test(text)) && !Number.isNaN(Date.parse(text)) && isInCalendar(text.slice(0, 10));

/** Return whether a day is in the calendar: a date of 30 February is read as a day of March. */
const isInCalendar = (day: string): boolean => addDays(day, 0) === day;
