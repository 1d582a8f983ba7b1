import { describe, expect, test } from "vitest";
import moments from "../../../fixtures/charts/moments.json";
import zones from "../../../fixtures/charts/zones.json";
import { timeTicks } from "./ticks.ts";

describe("the rules that the server's pictures obey", () => {
  test.each(moments)("from $from to $to", (row) => {
    const found = timeTicks(row.from, row.to, row.most, "UTC");
    expect(found.map(({ seconds }) => seconds)).toEqual(row.moments);
    expect(found.map(({ label }) => label)).toEqual(row.labels);
  });

  test.each(zones)("in $zone from $from to $to", (row) => {
    const found = timeTicks(row.from, row.to, row.most, row.zone);
    expect(found.map(({ seconds }) => seconds)).toEqual(row.moments);
    expect(found.map(({ label }) => label)).toEqual(row.labels);
  });
});
