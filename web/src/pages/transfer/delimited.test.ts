import { expect, test } from "vitest";
import { DelimitedReader, delimiterOf } from "./delimited.ts";
import { isRefused } from "./fileRow.ts";

/** Read a text in pieces of a length; rows as their line and cells, or their line and reason. */
function read(text: string, pieceLength = text.length, delimiter = ","): unknown[] {
  const reader = new DelimitedReader(delimiter);
  const found: unknown[] = [];
  for (let at = 0; at < text.length; at += pieceLength) {
    const rows = reader.read(text.slice(at, at + pieceLength), at + pieceLength >= text.length);
    for (const row of rows) {
      found.push(isRefused(row) ? [row.line, row.reason] : [row.line, Object.fromEntries([...row.cells].map(([key, cell]) => [key, cell.text]))]);
    }
  }
  return found;
}

test("a row is a line below the header, whatever ends it", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    expect(read(["a,b", "1,2", "3,4", ""].join(end))).toEqual([
      [2, { a: "1", b: "2" }],
      [3, { a: "3", b: "4" }],
    ]);
  }
});

test("quotes hold commas, line ends and quotes", () => {
  const text = 'a,b\n"1,5","two\nlines"\r\n"say ""hi""",""\nx,y';
  const rows = [
    [2, { a: "1,5", b: "two\nlines" }],
    [4, { a: 'say "hi"' }],
    [5, { a: "x", b: "y" }],
  ];
  expect(read(text)).toEqual(rows);
  for (const length of [1, 2, 3, 5, 7]) expect(read(text, length), String(length)).toEqual(rows);
});

test("empty cells are no cells, blank lines are no rows", () => {
  expect(read("a,b\n\n1,\n\n,2\n")).toEqual([
    [3, { a: "1" }],
    [5, { b: "2" }],
  ]);
});

test("a ragged row is refused, and the next one is read", () => {
  expect(read("a,b\n1\n1,2,3\n4,5\n")).toEqual([
    [2, "the row has 1 cells, the header 2"],
    [3, "the row has 3 cells, the header 2"],
    [4, { a: "4", b: "5" }],
  ]);
});

test("what is no CSV is refused alone", () => {
  expect(read('a,b\n"1"x,2\n3,4\n')).toEqual([
    [2, `the row is not CSV: ',' expected after '"'`],
    [3, { a: "3", b: "4" }],
  ]);
  expect(read('a,b\n3,4\n"never closed\n5,6')).toEqual([
    [2, { a: "3", b: "4" }],
    [3, "the row, which ends on line 4, is not CSV: unexpected end of data"],
  ]);
});

test("a header has names, each once", () => {
  expect(() => read("a,b, a\n1,2,3")).toThrow("more than one column named a");
  expect(() => new DelimitedReader(",").read("", true)).toThrow("empty");
});

test("a column without a name is left out and counted", () => {
  const reader = new DelimitedReader(",");
  const rows = reader.read(",a\n0,x\n1,y\n,z\n", true);
  expect(rows).toHaveLength(3);
  expect(reader.columns).toEqual(["a"]);
  expect([...reader.namelessCellCounts]).toEqual([[1, 2]]);
});

test("the delimiter is what stands most often in the header", () => {
  expect(delimiterOf("a,b,c", "x.csv")).toBe(",");
  expect(delimiterOf("a;b,c;d", "x.csv")).toBe(";");
  expect(delimiterOf("a", "x.csv")).toBe(",");
  expect(delimiterOf("a,b,c", "x.TSV")).toBe("\t");
  expect(read("a;b\n1,5;2", 4, ";")).toEqual([[2, { a: "1,5", b: "2" }]]);
});

test("a delimiter within quotes is none", () => {
  expect(delimiterOf('"Order; date; x",event', "a.csv")).toBe(",");
  expect(delimiterOf('event;"Notes, a, b, c"', "a.csv")).toBe(";");
});

test.each(["\n", "\r\n", "\r"])("a malformed quote spoils its own line only, ended by %j", (end) => {
  expect(read(["a,b", '"x"y,1', "3,4", ""].join(end))).toEqual([
    [2, "the row is not CSV: ',' expected after '\"'"],
    [3, { a: "3", b: "4" }],
  ]);
});
