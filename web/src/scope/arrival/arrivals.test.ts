import { expect, test } from "vitest";
import { elapsedInWords, firstEventAfter, newestId } from "./arrivals.ts";

const events = [{ id: "01a20956-8c9e" }, { id: "01a20956-88d2" }, { id: "01a20956-8b84" }];

test("the mark is what arrived last, whatever the order of the list", () => {
  expect(newestId(events)).toBe("01a20956-8c9e");
  expect(newestId([])).toBe("");
});

test("what was there before does not count", () => {
  expect(firstEventAfter(events, newestId(events))).toBeNull();
});

test("of several that arrived after, the first counts", () => {
  expect(firstEventAfter(events, "01a20956-88d2")?.id).toBe("01a20956-8b84");
  expect(firstEventAfter(events, "")?.id).toBe("01a20956-88d2");
});

test("elapsed time has minutes and seconds", () => {
  expect([0, 42, 60, 725].map(elapsedInWords)).toEqual(["0:00", "0:42", "1:00", "12:05"]);
});
