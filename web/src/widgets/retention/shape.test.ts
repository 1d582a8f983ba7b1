import { expect, test } from "vitest";
import { cohortsOf, noteOf, tableOf } from "./shape.ts";

const answer = {
  kind: "retention" as const,
  granularity: "week" as const,
  count: "actor" as const,
  cohorts: [
    { start: "2026-11-08T23:00:00.000Z", size: 4, values: [4, 3, 1] },
    { start: "2026-11-15T23:00:00.000Z", size: 2, values: [2, 2] },
    { start: "2026-11-22T23:00:00.000Z", size: 0, values: [0] },
  ],
};

test("period 0 is the size, and periods begin on the zone's days", () => {
  expect(cohortsOf(answer, "Europe/Berlin")).toEqual([
    { label: "9 Nov", size: 4, returned: [3, 1] },
    { label: "16 Nov", size: 2, returned: [2] },
    { label: "23 Nov", size: 0, returned: [] },
  ]);
});

test("months are named as months", () => {
  expect(cohortsOf({ ...answer, granularity: "month" }, "UTC")[0]?.label).toBe("Nov 2026");
});

test("the table has nothing where no period has begun", () => {
  expect(tableOf(answer, "Europe/Berlin").rows).toEqual([
    ["9 Nov", 4, 3, 1],
    ["16 Nov", 2, 2, null],
    ["23 Nov", 0, null, null],
  ]);
});

test("the note says who belongs to a cohort", () => {
  expect(noteOf({ cohortEvent: "track.play" }, answer)).toBe("weekly, by first track.play");
  expect(noteOf({ cohortEvent: "a", returnEvent: "b" }, { ...answer, count: "group" })).toBe("groups, weekly, by first a, returning with b");
  expect(noteOf({ cohortEvent: "a", count: "group" }, answer)).toBe("actors (no group key), weekly, by first a");
});
