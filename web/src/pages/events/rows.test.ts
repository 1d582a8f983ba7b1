import { expect, test } from "vitest";
import type { Event, EventPage } from "../../api/events.ts";
import { MAX_ROWS, NO_ROWS, type Rows, neighbourId, rowsOf, withArrived, withOlder, withoutEvent } from "./rows.ts";

const DAY = { timeRange: "24h" } as const;
const event = (id: string, second: number): Event => ({
  id,
  name: "a",
  source: null,
  timestamp: new Date(second * 1_000).toISOString(),
  properties: {},
  actorKey: null,
  actorLabel: null,
});
const page = (events: Event[], next: string | null = null): EventPage => ({ events, next });
const ids = (rows: Rows) => rows.events.map(({ id }) => id).join(" ");
const many = (count: number, from: number) => Array.from({ length: count }, (_, index) => event(`n${from + index}`, from + index));

test("what arrives goes where its time is, and the last to arrive first", () => {
  const rows = rowsOf(page([event("c", 30), event("a", 10)]), DAY);
  expect(ids(withArrived(rows, [event("d", 30), event("b", 20), event("e", 30)], 0))).toBe("e d c b a");
});

test("what is known, or before the time range, is not added", () => {
  const rows = rowsOf(page([event("b", 20)]), DAY);
  expect(withArrived(rows, [event("b", 20), event("a", 10)], 15_000)).toBe(rows);
});

test("what is older than the loaded rows waits behind the cursor", () => {
  const rows = rowsOf(page([event("b", 20)], "next"), DAY);
  expect(ids(withArrived(rows, [event("a", 10), event("c", 30)], 0))).toBe("c b");
});

test("there are never more rows than a browser can bear, and the list goes on after the last one", () => {
  const rows = withArrived(rowsOf(page([event("a", 1)], "next"), DAY), many(MAX_ROWS + 50, 100), 0);
  expect(rows.events).toHaveLength(MAX_ROWS);
  expect(rows.events[0]?.id).toBe("n649");
  expect(rows.olderStart).toEqual({ before: new Date(150_000).toISOString() });
  expect(rows.isAtHead).toBe(true);
});

test("older pages push the newest rows out", () => {
  const full = withArrived(NO_ROWS, many(MAX_ROWS, 100), 0);
  const rows = withOlder(full, page([event("n100", 100), event("b", 20), event("a", 10)], "more"), DAY);
  expect(rows.events).toHaveLength(MAX_ROWS);
  expect(rows.events[0]?.id).toBe("n597");
  expect(rows.events.at(-1)?.id).toBe("a");
  expect([rows.isAtHead, rows.olderStart]).toEqual([false, { cursor: "more", timeRange: DAY }]);
});

test("a short older page leaves the head in place", () => {
  const rows = withOlder(rowsOf(page([event("c", 30)], "next"), DAY), page([event("b", 20)]), DAY);
  expect([ids(rows), rows.isAtHead, rows.olderStart]).toEqual(["c b", true, null]);
});

test("rows can be walked, and one can go", () => {
  const rows = rowsOf(page([event("c", 30), event("b", 20), event("a", 10)]), DAY);
  expect([neighbourId(rows, "b", 1), neighbourId(rows, "b", -1), neighbourId(rows, "c", -1), neighbourId(rows, "x", 1)]).toEqual([
    "a",
    "c",
    undefined,
    undefined,
  ]);
  expect(ids(withoutEvent(rows, "b"))).toBe("c a");
});
