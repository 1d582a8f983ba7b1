import { expect, test } from "vitest";
import { NdjsonReader } from "./ndjson.ts";
import { findCell, isRefused, membersOf } from "./fileRow.ts";

test("a row is a line with an object, in whatever pieces it comes", () => {
  const text = '{"a": 1}\r\n\n{"a": {"b": [1, "}"]} , "c": "x\\"y"}\n[1]\nnot json\n{"a":2}';
  for (const length of [1, 5, text.length]) {
    const reader = new NdjsonReader();
    const rows = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
      reader.read(text.slice(index * length, (index + 1) * length), (index + 1) * length >= text.length),
    ).flat();
    expect(rows.map((row) => (isRefused(row) ? [row.line, row.reason] : [row.line, [...row.cells].map(([key, cell]) => `${key}=${cell.text}`)]))).toEqual([
      [1, ["a=1"]],
      [3, ['a={"b": [1, "}"]}', 'c="x\\"y"']],
      [4, "the line is not a JSON object"],
      [5, "the line is not JSON"],
      [6, ["a=2"]],
    ]);
  }
});

test("one array is no NDJSON", () => {
  expect(() => new NdjsonReader().read("[\n{}\n]", true)).toThrow("one JSON array");
});

test("members are written as they were", () => {
  expect([...(membersOf(' { "a" : 1.0 , "b\\n" : [ { } ] } ') ?? [])]).toEqual([
    ["a", "1.0"],
    ["b\n", "[ { } ]"],
  ]);
  expect(membersOf("{}")?.size).toBe(0);
  expect(membersOf("{")).toBeNull();
  expect(membersOf("[]")).toBeNull();
});

test("a dotted path reaches into an object, a column of that name first", () => {
  const cells = new Map([
    ["user", { text: '{"id": 7, "name": null}', isJson: true }],
    ["a.b", { text: "1", isJson: false }],
  ]);
  expect(findCell(cells, "user.id")?.text).toBe("7");
  expect(findCell(cells, "user.name")).toBeNull();
  expect(findCell(cells, "a.b")?.text).toBe("1");
  expect(findCell(cells, "nothing.at.all")).toBeNull();
});

test("a string may be long and full of escapes", () => {
  const json = `{"a":"${"\\n".repeat(4_000_000)}","b":"\\"\\\\"}`;
  expect([...(membersOf(json)?.keys() ?? [])]).toEqual(["a", "b"]);
});
