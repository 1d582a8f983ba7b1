import { expect, test } from "vitest";
import rows from "../../../fixtures/bots/race_colors.json";
import { raceColors } from "./raceColors.ts";

test.each(rows)("the server's colors of a race: $case", ({ ids, kept, colors }) => {
  const assigned = raceColors(ids, kept);
  expect(ids.map((id) => assigned.get(id))).toEqual(colors);
});

test("without bots before, no color is kept", () => {
  expect(raceColors(["1", "2"])).toEqual(raceColors(["2", "1"], {}));
});
