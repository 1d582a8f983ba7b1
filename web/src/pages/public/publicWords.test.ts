import { expect, test } from "vitest";
import { joinWithFullStop, savedTimeRangeInWords } from "./publicWords.ts";

test.each([
  ["7d", "Last 7 days"],
  ["1h", "Last hour"],
  ["12mo", "Last 12 months"],
  ["mtd", "This month"],
  ["all", "All time"],
  ["2w", "2w"],
])("the time range %s is called %s", (name, words) => {
  expect(savedTimeRangeInWords(name)).toBe(words);
});

test("a description ends with a full stop before the time range", () => {
  expect(joinWithFullStop("Live figures.", "Last 7 days")).toBe("Live figures. Last 7 days.");
  expect(joinWithFullStop("Live figures", "Last 7 days")).toBe("Live figures. Last 7 days.");
  expect(joinWithFullStop(null, "Last 7 days")).toBe("Last 7 days");
  expect(joinWithFullStop(" ", "Last 7 days")).toBe("Last 7 days");
});
