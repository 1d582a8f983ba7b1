import { expect, test } from "vitest";
import { TEMPLATES } from "./templates.ts";

test("no template publishes rows", () => {
  const widgets = TEMPLATES.flatMap((template) => template.widgets({ events: ["a", "b", "c", "d"], hasGroups: true }));
  expect(widgets.some(({ type }) => type === "table")).toBe(true);
  expect(widgets.filter(({ publishRows }) => publishRows)).toEqual([]);
});
