import { expect, test } from "vitest";
import type { Condition } from "../../api/alerts.ts";
import { suggestLimit, suggestionInWords } from "./suggestedLimit.ts";

const DAY = 1_440;
const minutesOf = (...runs: [value: number | null, length: number][]) => ({ values: runs.map(([value]) => value), lengths: runs.map(([, length]) => length) });
/** A hundred hours: 98 at one value, two at others. */
const hours = (usual: number, ...others: [number, number]) => minutesOf([usual, 98 * 60], [others[0], 60], [others[1], 60]);
const limitOf = (condition: Condition, minutes: ReturnType<typeof minutesOf>, windowMinutes = 60) => suggestLimit(condition, minutes, windowMinutes).limit;

test.each<[Condition, number, number, number, string]>([
  ["above", 10, 87, 400, "87"],
  ["above", 10, 123, 400, "130"],
  ["above", 0.1, 0.2891, 5, "0.29"],
  ["above", 0.1, 0.29, 5, "0.29"],
  ["above", -20, -8, -3, "-8"],
  ["below", 90, 57, 12, "57"],
  ["below", 90.5, 57.68, 12, "57"],
  ["below", 900, 128, 12, "120"],
  ["below", 3, -8, -33, "-8"],
])("%s a past of %d, %d and %d is %s", (condition, usual, second, first, limit) => {
  expect(limitOf(condition, hours(usual, second, first))).toBe(limit);
});

test("a single peak does not raise the limit", () => {
  expect(limitOf("above", minutesOf([5, 2 * DAY], [9_000, 1], [5, 2 * DAY]))).toBe("5");
});

test("what is rare may not happen at all", () => {
  expect(limitOf("above", minutesOf([1, 60], [0, 20 * DAY]))).toBe("0");
});

test("the time before the first event does not count", () => {
  expect(limitOf("above", minutesOf([0, 28 * DAY], [40, 2 * DAY]))).toBe("40");
  expect(limitOf("above", minutesOf([null, 28 * DAY], [40, 2 * DAY]))).toBe("40");
});

test("nothing is suggested from less than a day, or as a minimum of what is often 0", () => {
  for (const minutes of [minutesOf([0, 30 * DAY]), minutesOf([null, 30 * DAY]), minutesOf([0, 29 * DAY], [40, DAY - 1])]) {
    expect(suggestLimit("above", minutes, 60)).toEqual({ limit: "", reason: expect.stringContaining("less than a day") as string });
  }
  expect(suggestLimit("below", minutesOf([9, 2 * DAY], [0, DAY]), 60)).toEqual({ limit: "", reason: expect.stringContaining("often 0") as string });
  expect(suggestLimit("nodata", minutesOf([9, 2 * DAY]), 60)).toEqual({ limit: "", reason: "" });
});

test("percentages follow the changes from one window to the next", () => {
  const doubled = minutesOf([10, 2 * DAY], [20, 60], [10, DAY]);
  expect(limitOf("rises", doubled, 60)).toBe("100");
  expect(limitOf("drops", doubled, 60)).toBe("50");
  expect(limitOf("rises", minutesOf([10, DAY], [12.34, DAY], [10, DAY]), DAY)).toBe("24");
});

test("without changes to compare, percentages are common ones and say it", () => {
  expect(suggestLimit("rises", minutesOf([10, 60]), 60)).toEqual({ limit: "100", reason: expect.stringContaining("only a common start") as string });
  expect(suggestLimit("drops", minutesOf([10, 3 * DAY]), 60)).toEqual({ limit: "50", reason: expect.stringContaining("hardly ever drops") as string });
  expect(suggestLimit("drops", minutesOf([10, DAY], [0, DAY], [10, DAY], [0, DAY]), DAY)).toEqual({ limit: "", reason: expect.stringContaining("often drops to 0") as string });
  expect(limitOf("anomaly", minutesOf([0, 60]))).toBe("3");
});

test("a threshold that somebody chose stands beside the suggested one", () => {
  expect(suggestionInWords({ limit: "1200", reason: "Because." }, false)).toBe("Because.");
  expect(suggestionInWords({ limit: "1200", reason: "Because." }, true)).toBe("The past 30 days suggest 1,200.");
  expect(suggestionInWords({ limit: "", reason: "Because." }, true)).toBe("");
  expect(suggestionInWords(undefined, true)).toBe("");
});
