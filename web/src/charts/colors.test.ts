import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import colors from "../../../fixtures/charts/colors.json";
import shades from "../../../fixtures/charts/shades.json";
import { rampColors, seriesColor, seriesDashes, shadeOfCount, shadeOfShare } from "./colors.ts";

describe("the rules that the server's pictures obey", () => {
  test.each(shades)("the shade of %o", ({ share, count, most, step }) => {
    expect(share === undefined ? shadeOfCount(count, most) : shadeOfShare(share)).toBe(step);
  });

  test.each(colors.filter((row) => row.theme !== undefined))("the $theme theme", ({ theme, series, ramp }) => {
    const css = readFileSync(new URL("../ui/tokens.css", import.meta.url), "utf8");
    const dark = css.indexOf('[data-theme="dark"]');
    const block = theme === "dark" ? css.slice(dark) : css.slice(0, dark);
    const token = (name: string): string | undefined => new RegExp(`--${name}:(#\\w+)`).exec(block)?.[1];
    expect(series.map((_, index) => token(`s${index + 1}`))).toEqual(series);
    expect(ramp.map((_, index) => token(`r${index + 1}`))).toEqual(ramp);
  });
});

test("a series has the color of its position, and what is left over is grey", () => {
  expect([seriesColor(0), seriesColor(7), seriesColor(8), seriesColor(2, true)]).toEqual([
    "var(--s1)",
    "var(--s8)",
    "var(--s1)",
    "var(--s8)",
  ]);
});

test("lines have dashes from the fifth on", () => {
  expect([seriesDashes(3), seriesDashes(4), seriesDashes(5)]).toEqual([undefined, "6 4", "2 4"]);
});

test("ink flips at the sixth step", () => {
  expect([rampColors(5).color, rampColors(6).color]).toEqual(["var(--ramp-lo)", "var(--ramp-hi)"]);
});
