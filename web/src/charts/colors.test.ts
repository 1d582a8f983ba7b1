import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import colors from "../../../fixtures/charts/colors.json";
import shades from "../../../fixtures/charts/shades.json";
import { rampColors, seriesColor, seriesDashes, shadeOfCount, shadeOfShare } from "./colors.ts";

describe("the rules that the server's pictures obey", () => {
  test.each(shades)("the shade of %o", ({ share, count, most, step }) => {
    expect(share === undefined ? shadeOfCount(count, most) : shadeOfShare(share)).toBe(step);
  });

  test.each(colors.filter((row) => row.theme !== undefined))("the $theme theme", ({ theme, series, rest, ramp }) => {
    const css = readFileSync(new URL("../ui/tokens.css", import.meta.url), "utf8");
    const dark = css.indexOf('[data-theme="dark"]');
    const block = theme === "dark" ? css.slice(dark) : css.slice(0, dark);
    const token = (name: string): string | undefined => new RegExp(`--${name}:(#\\w+)`).exec(block)?.[1];
    expect(series.map((_, index) => token(`s${index + 1}`))).toEqual(series);
    expect(token("rest")).toBe(rest);
    expect(ramp.map((_, index) => token(`r${index + 1}`))).toEqual(ramp);
  });
});

test("a series has its own color, and what is left over has a grey that is no series' color", () => {
  expect([seriesColor(), seriesColor(8), seriesColor("rest")]).toEqual(["var(--s1)", "var(--s8)", "var(--rest)"]);
});

test("of more than four lines, those of half of the colors have dashes", () => {
  expect([4, 5, 6, "rest" as const].map((color) => seriesDashes(color, 5))).toEqual([undefined, "6 4", "2 4", undefined]);
  expect([5, 8].map((color) => seriesDashes(color, 4))).toEqual([undefined, undefined]);
});

test("ink flips at the sixth step", () => {
  expect([rampColors(5).color, rampColors(6).color]).toEqual(["var(--ramp-lo)", "var(--ramp-hi)"]);
});
