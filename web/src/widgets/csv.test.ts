import { expect, test } from "vitest";
import cells from "../../../fixtures/spreadsheet/cells.json";
import invisible from "../../../fixtures/spreadsheet/invisible.json";
import separators from "../../../fixtures/spreadsheet/separators.json";
import { csvOf } from "./csv.ts";

const columns = [
  { label: "Who", numeric: false },
  { label: "Count", numeric: true },
];
const SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b";
const one = (text: string) => csvOf({ columns: [{ label: text, numeric: false }], rows: [] });

test("commas, quotes, lines and the separators of other countries stay in their cell", () => {
  const rows = [
    ['a "b", c\nd', 1.5],
    ["plain;=1\t=1", null],
  ];
  expect(csvOf({ columns, rows })).toBe('"Who","Count"\r\n"a ""b"", c\nd",1.5\r\n"plain;\'=1\t\'=1",\r\n');
});

test("a number stays one", () => {
  expect(csvOf({ columns, rows: [["@x", -3], ["x", -(2n ** 60n)]] })).toBe('"Who","Count"\r\n"\'@x",-3\r\n"x",-1152921504606846976\r\n');
});

test.each(cells)("a spreadsheet that opens $text runs nothing", ({ text, cell }) => {
  expect(one(text)).toBe(`"${cell.replaceAll('"', '""')}"\r\n`);
});

/** The first and last of each run of characters that fit. */
function ranges(fits: (character: string) => boolean): [number, number][] {
  const runs: [number, number][] = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (!fits(String.fromCodePoint(point))) continue;
    const last = runs.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else runs.push([point, point]);
  }
  return runs;
}

test("what shows nothing hides no sign, and nothing else is skipped", () => {
  expect(ranges((character) => one(`${character}=`).startsWith(`"'${character}`) && !SIGNS.includes(character))).toEqual(invisible);
});

test("a formula is guarded after a separator, and after nothing else", () => {
  expect(ranges((character) => character !== "'" && one(`a${character}=`).includes("'="))).toEqual(separators);
});
