import { expect, test } from "vitest";
import lengths from "../../../fixtures/charts/durations.json";
import { formatDurationMs, formatDuration, minutesBriefly, minutesInWords } from "./durations.ts";

const plain = (text: string) => text.replaceAll("\u00a0", " ");
const MIN = 60_000;

test.each([
  [0, "under 1 min"],
  [59_999, "under 1 min"],
  [22 * MIN, "22 min"],
  [185 * MIN, "3 h 5 min"],
  [120 * MIN, "2 h"],
  [24 * 60 * MIN, "1 day"],
  [(24 * 60 + 7) * MIN, "1 day"],
  [(52 * 60 + 59) * MIN, "2 days 4 h"],
])("%i ms last %s", (ms, words) => expect(plain(formatDurationMs(ms))).toBe(words));

test.each(lengths)("$seconds seconds, by the rule that the server's pictures obey", ({ seconds, text }) => expect(formatDuration(seconds)).toBe(text));

test.each([
  [1, "1 minute", "1 min"],
  [15, "15 minutes", "15 min"],
  [60, "60 minutes", "60 min"],
  [90, "90 minutes", "90 min"],
  [120, "2 hours", "2 h"],
  [1440, "24 hours", "24 h"],
])("%i minutes in words", (minutes, words, short) => {
  expect(minutesInWords(minutes)).toBe(words);
  expect(plain(minutesBriefly(minutes))).toBe(short);
});
