import { expect, test } from "vitest";
import { hasShapeOf } from "./draftShape.ts";

const VALUE = { name: "a", filters: [], segmentId: null, width: 4 };

test("a draft with all fields of their types fits, whatever else it has", () => {
  expect(hasShapeOf({ ...VALUE, segmentId: "s1", more: true }, VALUE)).toBe(true);
  expect(hasShapeOf({ ...VALUE, filters: null }, VALUE)).toBe(true);
});

test("a draft of another form does not", () => {
  const { width: _width, ...rest } = VALUE;
  for (const draft of [rest, { ...VALUE, width: "4" }, { ...VALUE, filters: {} }, "text", null]) expect(hasShapeOf(draft, VALUE)).toBe(false);
});
