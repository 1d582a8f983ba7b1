import { type Mapping, columnOf, isOwnShape } from "./mapping.ts";
import { readMoment } from "./timestamps.ts";
import { commaNumberOrText, numberOrText } from "./numbers.ts";
import { type Cell, type FileRow, RowRefused, find, isNull, objectOf, textOf } from "./fileRow.ts";

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * Return what turns rows into events: compact JSON, or a line as it is written where it is an event already.
 *
 * @param isNdjson whether rows are lines of JSON.
 */
export function mapperOf(mapping: Mapping, isNdjson: boolean): (row: FileRow) => string {
  const make = isNdjson && isOwnShape(mapping) ? ({ text }: FileRow) => text : (row: FileRow) => eventOf(row, mapping);
  return (row) => {
    if (LONE_SURROGATE.test(row.text)) throw new RowRefused("the row is not UTF-8");
    return make(row);
  };
}

function eventOf(row: FileRow, mapping: Mapping): string {
  const { roles, unit, zone } = mapping;
  const parts = [member("name", JSON.stringify(nameOf(row, mapping)))];
  for (const [field, role] of [["_actor", "actor"], ["_actorLabel", "label"], ["_source", "source"]] as const) {
    const text = textAt(row, columnOf(roles, role), field);
    if (text !== "") parts.push(member(field, JSON.stringify(text)));
  }
  const moment = at(row, columnOf(roles, "timestamp"));
  if (moment) parts.push(member("_timestamp", JSON.stringify(readMoment(moment, unit, zone))));
  const properties = propertiesOf(row, mapping);
  if (properties.size > 0) {
    const members = [...properties].map(([name, value]) => member(name, value));
    parts.push(member("properties", `{${members.join(",")}}`));
  }
  return `{${parts.join(",")}}`;
}

const member = (name: string, json: string): string => `${JSON.stringify(name)}:${json}`;

const at = (row: FileRow, column: string | undefined): Cell | null => (column === undefined ? null : find(row.cells, column));

function textAt(row: FileRow, column: string | undefined, field: string): string {
  const cell = at(row, column);
  return cell ? textOf(cell, field) : "";
}

function nameOf(row: FileRow, { roles, event }: Mapping): string {
  const column = columnOf(roles, "name");
  const name = textAt(row, column, "name") || event;
  if (name === "") throw new RowRefused(`name: ${column ?? "name"} is missing or empty`);
  return name;
}

/** The properties, each as JSON: columns first, then the members of the object, which win. */
function propertiesOf(row: FileRow, { roles }: Mapping): Map<string, string> {
  const properties = new Map<string, string>();
  for (const [column, cell] of row.cells) {
    const role = roles.get(column) ?? "property";
    if (isNull(cell)) continue;
    if (role === "text") properties.set(column, cell.isJson ? cell.text : JSON.stringify(cell.text));
    if (role === "property") properties.set(column, cell.isJson ? cell.text : numberOrText(cell.text));
    if (role === "comma") properties.set(column, cell.isJson ? cell.text : commaNumberOrText(cell.text));
  }
  const column = columnOf(roles, "properties");
  const object = at(row, column);
  if (object && column !== undefined) {
    const members = objectOf(object);
    if (!members) throw new RowRefused(`properties: ${column} is not a JSON object`);
    for (const [name, value] of members) if (!isNull(value)) properties.set(name, value.text);
  }
  return properties;
}
