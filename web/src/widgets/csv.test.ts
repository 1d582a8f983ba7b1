import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

const columns = [
  { label: "Who", numeric: false },
  { label: "Count", numeric: true },
];

test("commas, quotes and lines stay in their cell", () => {
  const rows = [['a "b", c\nd', 1.5], ["plain", null]];
  expect(csvOf({ columns, rows })).toBe('Who,Count\r\n"a ""b"", c\nd",1.5\r\nplain,\r\n');
});

test("text that a spreadsheet would compute is quoted, a number is not", () => {
  expect(csvOf({ columns, rows: [["=1+1", -3], ["@x", 0]] })).toBe("Who,Count\r\n'=1+1,-3\r\n'@x,0\r\n");
});
