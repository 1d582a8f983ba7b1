import { type Mapping, columnOf, isOwnShape } from "./mapping.ts";
import { readMoment } from "./timestamps.ts";
import { commaNumberOrText, numberOrText } from "./numbers.ts";
import { type Cell, type FileRow, RowRefused, findCell, isNull, objectCells, textOf } from "./fileRow.ts";

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * Return what turns rows into events: compact JSON, or a line as it is written where it is an event already.
 *
 * @param isNdjson whether rows are lines of JSON.
 */
export function mapperOf(mapping: Mapping, isNdjson: boolean): (row: FileRow) => string {
  const makeEventJson = isNdjson && isOwnShape(mapping) ? ({ text }: FileRow) => text : (row: FileRow) => eventJson(row, mapping);
  return (row) => {
    if (LONE_SURROGATE.test(row.text)) throw new RowRefused("the row is not UTF-8");
    return makeEventJson(row);
  };
}

function eventJson(row: FileRow, mapping: Mapping): string {
  const { roleByColumn, unit, rowTimezone } = mapping;
  const jsonMembers = [jsonMember("name", JSON.stringify(eventName(row, mapping)))];
  for (const [field, role] of [["_actor", "actor"], ["_actorLabel", "label"], ["_source", "source"]] as const) {
    const text = textAt(row, columnOf(roleByColumn, role), field);
    if (text !== "") jsonMembers.push(jsonMember(field, JSON.stringify(text)));
  }
  const momentCell = cellAt(row, columnOf(roleByColumn, "timestamp"));
  if (momentCell) jsonMembers.push(jsonMember("_timestamp", JSON.stringify(readMoment(momentCell, unit, rowTimezone))));
  const properties = propertiesOf(row, mapping);
  if (properties.size > 0) {
    const members = [...properties].map(([name, value]) => jsonMember(name, value));
    jsonMembers.push(jsonMember("properties", `{${members.join(",")}}`));
  }
  return `{${jsonMembers.join(",")}}`;
}

const jsonMember = (name: string, json: string): string => `${JSON.stringify(name)}:${json}`;

const cellAt = (row: FileRow, column: string | undefined): Cell | null => (column === undefined ? null : findCell(row.cells, column));

function textAt(row: FileRow, column: string | undefined, field: string): string {
  const cell = cellAt(row, column);
  return cell ? textOf(cell, field) : "";
}

function eventName(row: FileRow, { roleByColumn, event }: Mapping): string {
  const column = columnOf(roleByColumn, "name");
  const name = textAt(row, column, "name") || event;
  if (name === "") throw new RowRefused(`name: ${column ?? "name"} is missing or empty`);
  return name;
}

/** The properties, each as JSON: columns first, then the members of the object, which win. */
function propertiesOf(row: FileRow, { roleByColumn }: Mapping): Map<string, string> {
  const properties = new Map<string, string>();
  for (const [column, cell] of row.cells) {
    const role = roleByColumn.get(column) ?? "property";
    if (isNull(cell)) continue;
    if (role === "text") properties.set(column, cell.isJson ? cell.text : JSON.stringify(cell.text));
    if (role === "property") properties.set(column, cell.isJson ? cell.text : numberOrText(cell.text));
    if (role === "comma") properties.set(column, cell.isJson ? cell.text : commaNumberOrText(cell.text));
  }
  const column = columnOf(roleByColumn, "properties");
  const objectCell = cellAt(row, column);
  if (objectCell && column !== undefined) {
    const members = objectCells(objectCell);
    if (!members) throw new RowRefused(`properties: ${column} is not a JSON object`);
    for (const [name, value] of members) if (!isNull(value)) properties.set(name, value.text);
  }
  return properties;
}
