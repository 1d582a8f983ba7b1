import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ANNOTATION_COLORS, cssColorOf } from "./annotationColors.ts";

const light = readFileSync(new URL("../ui/tokens.css", import.meta.url), "utf8").split('[data-theme="dark"]')[0] ?? "";

test.each(ANNOTATION_COLORS)("$name is saved as the light theme shows it", ({ value, cssColor }) => {
  expect(light).toContain(`${cssColor.slice("var(".length, -1)}:${value};`);
});

test.each([
  ["#B91C1C", "var(--error)"],
  ["#0072B2", "var(--accent)"],
  ["#abcdef", "#abcdef"],
])("%s is shown as %s", (saved, cssColor) => {
  expect(cssColorOf(saved)).toBe(cssColor);
});
