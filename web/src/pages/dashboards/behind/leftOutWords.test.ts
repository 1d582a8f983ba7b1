import { expect, test } from "vitest";
import { leftOutInWords } from "./leftOutWords.ts";

test.each<[string[], boolean, boolean, string]>([
  [[], false, true, ""],
  [[], true, true, "A segment leaves out the time."],
  [[], true, false, ""],
  [["the hour of the week"], false, false, "The page of events leaves out the hour of the week."],
  [["payload"], true, true, "A segment leaves out the time and payload. The page of events leaves out payload."],
])("of %j with time %s and segment %s: %s", (leftOut, hasTime, hasSegment, words) => {
  expect(leftOutInWords(leftOut, hasTime, hasSegment)).toBe(words);
});
