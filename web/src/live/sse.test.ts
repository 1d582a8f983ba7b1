import { expect, test } from "vitest";
import { SseReader } from "./sse.ts";

const TEXT = 'retry: 2000\nid: p0\n\nid: e1\ndata: {"name":"a"}\n\n: heartbeat\nid: e2\r\ndata: one\r\ndata:two\r\n\r\n';

test("a stream reads the same in one piece and byte by byte", () => {
  const whole = new SseReader().read(TEXT);
  const reader = new SseReader();
  const single = Array.from(TEXT).flatMap((letter) => reader.read(letter));
  expect(whole).toEqual([
    { id: "e1", data: '{"name":"a"}' },
    { id: "e2", data: "one\ntwo" },
  ]);
  expect(single).toEqual(whole);
  expect(reader.lastId).toBe("e2");
});

test("a position without an event is kept", () => {
  const reader = new SseReader();
  expect(reader.read("retry: 2000\nid: p0\n\n")).toEqual([]);
  expect(reader.lastId).toBe("p0");
});

test("an event that was cut off does not count as seen", () => {
  const reader = new SseReader();
  reader.read("id: e1\ndata: 1\n\nid: e2\ndata: 2\n");
  expect(reader.lastId).toBe("e1");
});
