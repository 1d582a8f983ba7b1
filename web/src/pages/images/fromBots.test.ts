import { expect, test } from "vitest";
import { raceColors } from "../../core/raceColors.ts";
import { pictureOf } from "./fromBots.ts";

const BOTS = ["583807014896140293", "270904126974590976", "159985870458322944"].map((id, index) => ({ id, name: `Bot ${index}` }));

test("bots have the colors of their race, in whatever order they are", () => {
  const histories = new Map(BOTS.map(({ id }) => [id, [{ time: 1_763_000_000_000, value: 3 }]]));
  const colors = raceColors(BOTS.map(({ id }) => id));
  for (const bots of [BOTS, BOTS.toReversed()]) {
    const { series } = pictureOf(histories, bots, "server_count");
    expect(series.map(({ color }) => color)).toEqual(bots.map(({ id }) => colors.get(id)));
  }
});
