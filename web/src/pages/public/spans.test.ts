import { expect, test } from "vitest";
import { described, shownSpan } from "./spans.ts";

test.each([
  ["7d", "Last 7 days"],
  ["1h", "Last hour"],
  ["12mo", "Last 12 months"],
  ["mtd", "This month"],
  ["all", "All time"],
  ["2w", "2w"],
])("the span %s is called %s", (name, words) => {
  expect(shownSpan(name)).toBe(words);
});

test("a description ends with a full stop before the span", () => {
  expect(described("Live figures.", "Last 7 days")).toBe("Live figures. Last 7 days.");
  expect(described("Live figures", "Last 7 days")).toBe("Live figures. Last 7 days.");
  expect(described(null, "Last 7 days")).toBe("Last 7 days");
  expect(described(" ", "Last 7 days")).toBe("Last 7 days");
});
