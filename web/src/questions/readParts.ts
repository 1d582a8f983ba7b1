import { type Condition, type Filter, takesList, takesValue } from "../scope/filters.ts";
import { type FilterValue, canCompare, readValue } from "../scope/filterValues.ts";
import { type AskedEvents, type MeasuredEvents, takesNumbers, takesProperty } from "../widgets/words.ts";
import { ALL_EVENTS, CLAUSES, FIELDS, GROUP, MEASURES, OPERATORS } from "./language.ts";
import type { Reader } from "./Reader.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { valueChoicesOf } from "./valueChoices.ts";

/** A measure with filters of its own: a part of a formula, a number of a KPI. */
export interface Part extends MeasuredEvents {
  filters?: Filter[];
}

/** Read a comma, if another entry of the list follows and not the next clause. */
export function takesComma(reader: Reader): boolean {
  return !reader.isNext(CLAUSES, 1) && reader.takesWord(",");
}

/** Read events: "track.play", "signup or login", "all events". */
export function readEvents(reader: Reader, { events }: Vocabulary): AskedEvents {
  reader.expect(events.choices);
  if (reader.takesPhrase(ALL_EVENTS)) return { events: "all" };
  const names = [reader.takeName(events)];
  while (reader.takesWord("or")) names.push(reader.takeName(events));
  const [onlyName = ""] = names;
  return names.length > 1 ? { events: names } : { event: onlyName };
}

/** Read a key: a property, or a field of the event in the words of the language. */
export function readKey(reader: Reader, { keys }: Vocabulary): string {
  reader.expect(keys.choices);
  return reader.takesPhrase(FIELDS) ?? reader.takeName(keys);
}

/** Read a key of a breakdown, which may be the group, too. */
export function readBreakdown(reader: Reader, { breakdowns, names }: Vocabulary): string {
  reader.expect(breakdowns.choices);
  const hasGroups = names.groupKeys.some(({ isDefault }) => isDefault);
  const group = hasGroups || reader.peek()?.text.toLowerCase() === "group" ? reader.takesPhrase(GROUP) : undefined;
  return group ?? reader.takesPhrase(FIELDS) ?? reader.takeName(breakdowns);
}

/** Read what is measured: "track.play", "unique actors of all events", "p95 of ms of track.play (where plan is pro)". */
export function readPart(reader: Reader, vocabulary: Vocabulary): Part {
  return withPartFilters(reader, vocabulary, readMeasure(reader, vocabulary));
}

function readMeasure(reader: Reader, vocabulary: Vocabulary): MeasuredEvents {
  const measure = reader.takesPhrase(MEASURES);
  if (measure === undefined) return { measure: "count", ...readEvents(reader, vocabulary) };
  if (!takesProperty(measure)) return { measure, ...readEventsOf(reader, vocabulary) };
  reader.takesWord("of");
  const property = takesNumbers(measure) ? reader.takeName(vocabulary.numbers) : readKey(reader, vocabulary);
  return { measure, property, ...readEventsOf(reader, vocabulary) };
}

/** Read "of" and events; without them, all events are meant. */
const readEventsOf = (reader: Reader, vocabulary: Vocabulary): AskedEvents =>
  reader.takesWord("of") ? readEvents(reader, vocabulary) : { events: "all" };

/** Read "(where …)" behind something that has filters of its own. */
export function withPartFilters<Value extends object>(reader: Reader, vocabulary: Vocabulary, value: Value): Value & { filters?: Filter[] } {
  const isNext = reader.peek()?.text === "(" && reader.peek(1)?.text.toLowerCase() === "where";
  if (!isNext) return value;
  reader.require("(");
  reader.require("where");
  const filters = readFilters(reader, vocabulary);
  reader.require(")");
  return { ...value, filters };
}

/** Read filters that all hold: "plan is pro and (country is DE or country is AT)". */
export function readFilters(reader: Reader, vocabulary: Vocabulary): Filter[] {
  const firstFilter = readFilter(reader, vocabulary);
  const filters = [firstFilter];
  const isAlone = !("any" in firstFilter);
  if (isAlone && reader.takesWord("or")) return [{ any: [firstFilter, ...readAlternatives(reader, vocabulary)] }];
  while (reader.takesWord("and")) filters.push(readFilter(reader, vocabulary));
  return filters;
}

function readFilter(reader: Reader, vocabulary: Vocabulary): Filter {
  if (!reader.takesWord("(")) return readCondition(reader, vocabulary);
  const any = readAlternatives(reader, vocabulary);
  reader.require(")");
  return { any };
}

function readAlternatives(reader: Reader, vocabulary: Vocabulary): Condition[] {
  const conditions = [readCondition(reader, vocabulary)];
  while (reader.takesWord("or")) conditions.push(readCondition(reader, vocabulary));
  return conditions;
}

function readCondition(reader: Reader, vocabulary: Vocabulary): Condition {
  const key = readKey(reader, vocabulary);
  const op = reader.takesPhrase(OPERATORS);
  if (op === undefined) {
    reader.markNext();
    return { key, op: "exists" };
  }
  if (!takesValue(op)) return { key, op };
  const readNext = () => readComparedValue(reader, vocabulary, { key, op });
  const firstValue = readNext();
  if (!takesList(op)) return { key, op, value: firstValue };
  const values = [firstValue];
  while (takesComma(reader)) values.push(readNext());
  return { key, op, value: values };
}

/** Read a value; one that the operator cannot compare with is marked. */
function readComparedValue(reader: Reader, vocabulary: Vocabulary, condition: Condition): FilterValue {
  reader.expect(valueChoicesOf(vocabulary, condition));
  const token = reader.peek();
  const value = token && token.form !== "sign" ? readValue(token.text, token.form === "name", condition.op, vocabulary.typesOf(condition.key)) : undefined;
  if (value === undefined || !canCompare(condition.op, value)) reader.markNext();
  else reader.takeToken();
  return value ?? "";
}
