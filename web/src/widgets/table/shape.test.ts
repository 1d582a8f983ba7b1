import { expect, test } from "vitest";
import { cellOf, headOf, isNumeric, tableOf } from "./shape.ts";

const row = (values: object, event?: { actorKey: string; actorLabel: string }) => ({ id: "1", values, ...(event ? { event } : {}) }) as never;

test("cells are words of their kind", () => {
  expect(cellOf(row({ time: "2026-11-20T12:04:35.000Z" }), "time", "Europe/Berlin")).toBe("20 Nov 2026, 13:04:35");
  expect(cellOf(row({ actor: "u1" }, { actorKey: "u1", actorLabel: "Ada" }), "actor", "UTC")).toBe("Ada");
  expect(cellOf(row({ actor: "u1" }), "actor", "UTC")).toBe("u1");
  expect(cellOf(row({ "prop:n": 12_345 }), "prop:n", "UTC")).toBe("12,345");
  expect(cellOf(row({ "prop:n": 205_680_187_394_752_513n }), "prop:n", "UTC")).toBe("205,680,187,394,752,513");
  expect(cellOf(row({ "prop:n": ["a", { b: 1 }] }), "prop:n", "UTC")).toBe('["a",{"b":1}]');
  expect(cellOf(row({ "prop:n": [205_680_187_394_752_513n] }), "prop:n", "UTC")).toBe("[205680187394752513]");
  expect([cellOf(row({ "prop:n": null }), "prop:n", "UTC"), cellOf(row({}), "prop:n", "UTC")]).toEqual(["", ""]);
  expect(cellOf(row({ "prop:n": false }), "prop:n", "UTC")).toBe("false");
});

test("a property is headed by its key, even one with the name of a field", () => {
  expect([headOf("time"), headOf("prop:total"), headOf("prop:time")]).toEqual(["Time", "total", "time"]);
});

test("a column is of numbers if all that is there are", () => {
  expect(isNumeric([row({ a: 1 }), row({ a: null }), row({ a: 2n ** 60n })], "a")).toBe(true);
  expect(isNumeric([row({ a: 1 }), row({ a: "1" })], "a")).toBe(false);
  expect(isNumeric([row({})], "a")).toBe(false);
});

test("ids are written as they were sent", () => {
  expect(cellOf(row({ "prop:user_id": 205_680_187_394_752_513n }), "prop:user_id", "UTC")).toBe("205680187394752513");
  expect(cellOf(row({ "prop:chatId": -1_001_234 }), "prop:chatId", "UTC")).toBe("-1001234");
  const table = tableOf({ kind: "table", columns: ["prop:n", "prop:user_id"], rows: [row({ "prop:n": 1, "prop:user_id": 2 })] }, "UTC");
  expect([table.isIdCell?.(0, 0), table.isIdCell?.(0, 1)]).toEqual([false, true]);
});

test("the events as a table", () => {
  const rows = [row({ event: "a", "prop:n": -1234.5678 }), row({ event: "b", "prop:n": 2n ** 60n })];
  expect(tableOf({ kind: "table", columns: ["event", "prop:n"], rows }, "UTC")).toEqual({
    columns: [
      { label: "Event", numeric: false },
      { label: "n", numeric: true },
    ],
    rows: [
      ["a", -1234.5678],
      ["b", 2n ** 60n],
    ],
  });
});
