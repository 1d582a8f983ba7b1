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

const CHARACTERS = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));
const MINUTE = { timeout: 60_000 }; // it goes through all of them

/** The first and last of each run of characters whose text is written in a way that fits. */
function ranges(textOf: (character: string) => string, fits: (cell: string, character: string) => boolean): [number, number][] {
  const file = csvOf({ columns: [{ label: "Text", numeric: false }], rows: CHARACTERS.map((character) => [textOf(character)]) });
  const cells = file.slice(1, -3).split('"\r\n"').slice(1);
  expect(cells.length).toBe(CHARACTERS.length);
  const runs: [number, number][] = [];
  for (const [point, character] of CHARACTERS.entries()) {
    if (!fits(cells[point] ?? "", character)) continue;
    const last = runs.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else runs.push([point, point]);
  }
  return runs;
}

test("what shows nothing hides no sign, and nothing else is skipped", MINUTE, () => {
  const guarded = (cell: string, character: string) => cell.startsWith(`'${character}`) && !SIGNS.includes(character);
  expect(ranges((character) => `${character}=`, guarded)).toEqual(invisible);
});

test("a formula is guarded after a separator, and after nothing else", MINUTE, () => {
  const guarded = (cell: string, character: string) => cell.endsWith("'=") && character !== "'";
  expect(ranges((character) => `a${character}=`, guarded)).toEqual(separators);
});
