import { expect, test } from "vitest";
import { mapperOf } from "./mapper.ts";
import { type Mapping, eventNameOf, guessRoles, withRole } from "./mapping.ts";
import { NdjsonReader } from "./ndjson.ts";
import { numberOrText } from "./numbers.ts";
import type { FileRow } from "./fileRow.ts";

const csvRow = (cells: Record<string, string>): FileRow => {
  return { line: 2, text: "", cells: new Map(Object.entries(cells).map(([name, text]) => [name, { text, isJson: false }])) };
};
const jsonRow = (text: string) => new NdjsonReader().read(text, true)[0] as FileRow;
const mapping = (columns: string[], change: Partial<Mapping> = {}): Mapping => {
  return { roleByColumn: guessRoles(columns), event: "", unit: "auto", rowTimezone: "", ...change };
};
const event = (row: FileRow, given: Mapping, isNdjson = false): unknown => JSON.parse(mapperOf(given, isNdjson)(row));

test("the columns of other tables are recognised by their names", () => {
  const roleByColumn = guessRoles(["order_id", "action", "customer_id", "created_at", "total"]);
  expect([...roleByColumn]).toEqual([
    ["order_id", "property"],
    ["action", "name"],
    ["customer_id", "actor"],
    ["created_at", "timestamp"],
    ["total", "property"],
  ]);
});

test("columns of a spreadsheet are guessed by their words", () => {
  const roleByColumn = guessRoles(["Order Date", "Customer Email", "Status", "Amount (EUR)"]);
  expect([...roleByColumn.values()]).toEqual(["timestamp", "actor", "property", "property"]);
  const columns = ["Order Date", "Amount (EUR)"];
  expect([...guessRoles(columns, new Set(columns)).values()]).toEqual(["timestamp", "comma"]);
});

test("a column that no name gives away is the time if its values are", () => {
  const timeColumns = new Set(["when", "shipped"]);
  const roleByColumn = guessRoles(["id", "when", "shipped"], undefined, timeColumns);
  expect([...roleByColumn.values()]).toEqual(["property", "timestamp", "property"]);
  expect(guessRoles(["when", "created_at"], undefined, timeColumns).get("when")).toBe("property");
});

test("events are named after their file", () => {
  expect(["Orders 2026.csv", "orders.csv", "/._.csv", "übung.tar.csv"].map(eventNameOf)).toEqual(["orders_2026", "orders", "", "übung_tar"]);
});

test("Tallyroom's own names come first", () => {
  const roleByColumn = guessRoles(["name", "event", "_timestamp", "time", "_actor", "user", "_actorLabel", "_source", "properties"]);
  expect(roleByColumn.get("name")).toBe("name");
  expect(roleByColumn.get("event")).toBe("property");
  expect(roleByColumn.get("time")).toBe("property");
  expect(roleByColumn.get("properties")).toBe("properties");
});

test("a role that one column has at most moves", () => {
  const roleByColumn = withRole(guessRoles(["action", "type"]), "type", "name");
  expect([...roleByColumn]).toEqual([
    ["action", "property"],
    ["type", "name"],
  ]);
  expect([...withRole(roleByColumn, "action", "ignore")][0]).toEqual(["action", "ignore"]);
});

test("a row of CSV becomes an event; numbers are numbers, and ids stay text", () => {
  const row = csvRow({ action: "paid", customer_id: "0041", created_at: "2026-11-19", total: "42.50", zip: "01234", ok: "true" });
  const made = mapperOf(mapping([...row.cells.keys()]), false)(row);
  expect(made).toBe(
    '{"name":"paid","_actor":"0041","_timestamp":"2026-11-19T00:00:00","properties":{"total":42.50,"zip":"01234","ok":"true"}}',
  );
});

test("a column may have numbers with a decimal comma", () => {
  const row = csvRow({ action: "paid", total: "1.234,50", version: "1.234" });
  const roleByColumn = withRole(guessRoles(["action", "total", "version"]), "total", "comma");
  expect(event(row, mapping([], { roleByColumn }))).toEqual({ name: "paid", properties: { total: 1234.5, version: 1.234 } });
});

test("a column may be kept as text, or left out", () => {
  const row = csvRow({ action: "paid", team: "7", total: "1" });
  const roleByColumn = withRole(withRole(guessRoles(["action", "team", "total"]), "team", "text"), "total", "ignore");
  expect(event(row, mapping([], { roleByColumn }))).toEqual({ name: "paid", properties: { team: "7" } });
});

test("a name may be given for all, or for those without one", () => {
  expect(event(csvRow({ total: "1" }), mapping(["total"], { event: "order" }))).toEqual({ name: "order", properties: { total: 1 } });
  expect(event(csvRow({ total: "1" }), mapping(["action", "total"], { event: "order" }))).toMatchObject({ name: "order" });
  expect(() => event(csvRow({ total: "1" }), mapping(["action", "total"]))).toThrow("name: action is missing or empty");
});

test("numbers are recognised as the importer does", () => {
  const written = { "42.50": "42.50", ".50": "0.50", "-.50": "-0.50", "+5.00": "5.00", "0": "0", "-7": "-7", "1e3": "1e3" };
  for (const [text, json] of Object.entries(written)) expect(numberOrText(text), text).toBe(json);
  for (const text of ["01234", "1234567890123456", "+4915112345", "5.", " 5", "1e999", "-", "NaN", "true"]) {
    expect(numberOrText(text), text).toBe(JSON.stringify(text));
  }
});

test("a line in Tallyroom's own shape is sent as it is written", () => {
  const line = '{"name": "x", "_actor": "a", "properties": {"id": 12345678901234567890}}';
  expect(mapperOf(mapping(["name", "_actor", "properties"]), true)(jsonRow(line))).toBe(line);
});

test("a line of another shape keeps every digit, and members of an object become properties", () => {
  const row = jsonRow('{"event":"x","distinct_id":12345678901234567890,"at":1763596800,"props":{"a":1.10,"b":null},"c":[1, 2],"d":null}');
  const roleByColumn = withRole(guessRoles([...row.cells.keys()]), "props", "properties");
  expect(mapperOf(mapping([], { roleByColumn }), true)(row)).toBe(
    '{"name":"x","_actor":"12345678901234567890","_timestamp":"2025-11-20T00:00:00.000Z","properties":{"c":[1, 2],"a":1.10}}',
  );
});

test("an object may stand in a cell of CSV", () => {
  const row = csvRow({ name: "x", properties: '{"a": 1, "name": "y"}' });
  expect(event(row, mapping(["name", "properties"]))).toEqual({ name: "x", properties: { a: 1, name: "y" } });
  expect(() => event(csvRow({ name: "x", properties: "[1]" }), mapping(["name", "properties"]))).toThrow("properties: properties is not a JSON object");
});

test("a row that is not UTF-8 is refused", () => {
  expect(() => event({ ...csvRow({ name: "x" }), text: "x\udc80" }, mapping(["name"]))).toThrow("the row is not UTF-8");
});
