import { expect, test } from "vitest";
import rows from "../../../../../fixtures/bots/race.json";
import { type RaceLine, crossingsOf, gapOf, growthOf } from "./race.ts";

test.each(rows)("$case", ({ lines, growth, gap, crossings }) => {
  const raceLines: RaceLine[] = lines;
  const found = growthOf(raceLines);
  expect(found.baseBucket).toBe(growth.base);
  // The server has no −0, which is 0 in all of its words.
  expect(found.lines.map((line) => line.map((value) => (value === 0 ? 0 : value)))).toEqual(growth.lines);
  expect(gapOf(raceLines)).toEqual({ leader: gap.leader, lines: gap.lines });
  expect(crossingsOf(raceLines).map(({ bucket, passer, passed }) => [bucket, passer, passed])).toEqual(crossings);
});
