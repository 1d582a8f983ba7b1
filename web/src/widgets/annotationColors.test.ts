import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ANNOTATION_COLORS, CHART_GROUNDS, cssColorOf } from "./annotationColors.ts";

const [light = "", dark = ""] = readFileSync(new URL("../ui/tokens.css", import.meta.url), "utf8").split('[data-theme="dark"]');

test("the grounds are those of the themes", () => {
  expect([light, dark].map((theme) => /--card:(#\w+);/.exec(theme)?.[1])).toEqual([CHART_GROUNDS.light, CHART_GROUNDS.dark]);
});

test.each(ANNOTATION_COLORS)("$name is saved as the light theme shows it", ({ value, cssColor }) => {
  expect(light).toContain(`${cssColor.slice("var(".length, -1)}:${value};`);
});

test.each([
  ["#B91C1C", "var(--error)"],
  ["#0072B2", "var(--accent)"],
  ["#4338CA", "light-dark(#4338ca, #5b51d1)"],
  ["#ffff00", "light-dark(#999900, #ffff00)"],
])("%s is shown as %s", (saved, cssColor) => {
  expect(cssColorOf(saved)).toBe(cssColor);
});
