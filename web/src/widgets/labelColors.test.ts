import { describe, expect, test } from "vitest";
import { assignColors } from "../core/valueColors.ts";
import { seriesColorsOf } from "./labelColors.ts";

const part = (label: string | null, kind?: "none" | "other") => ({ label, ...(kind ? { kind } : {}), points: [] });
const airports = [part("LGA"), part("JFK"), part(null, "none"), part(null, "other")];

describe("the colors of series", () => {
  test("are those of their labels, and other labels are grey", () => {
    const colors = assignColors(["LGA", "JFK", "(none)"]);
    expect(seriesColorsOf(airports, null)).toEqual([colors.get("LGA"), colors.get("JFK"), colors.get("(none)"), "rest"]);
  });

  test("do not depend on ranks", () => {
    const [lga, jfk] = seriesColorsOf(airports, undefined);
    expect(seriesColorsOf(airports.toReversed(), undefined).slice(-2)).toEqual([jfk, lga]);
  });

  test("are those that the widget has saved", () => {
    expect(seriesColorsOf(airports, { colors: { JFK: 3, "(none)": 4 } }).slice(1)).toEqual([3, 4, "rest"]);
  });

  test("are those of a public answer, whose labels may be masked", () => {
    expect(seriesColorsOf([{ label: "••• 1", color: 6 }, { label: "••• 2", color: 2 }, part(null, "other")], null)).toEqual([6, 2, "rest"]);
  });
});
