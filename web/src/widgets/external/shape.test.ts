import { expect, test } from "vitest";
import { hostOf, readInWords } from "./shape.ts";

const config = { sourceId: "1", url: "https://api.example.com/stock", valuePath: "tea", valueType: "number" } as const;
const answer = { kind: "external" as const, value: 42, fetchedAt: "2026-11-20T12:00:00.000Z", computedAt: "2026-11-20T12:00:41.000Z", error: null };

test("a value is as old as the answer saw it", () => {
  expect(readInWords(answer)).toBe("fetched 41\u00a0s ago");
  expect(readInWords({ ...answer, fetchedAt: null })).toBe("not fetched yet");
});

test("the note is the host", () => {
  expect([hostOf(config), hostOf({ ...config, url: "" })]).toEqual(["api.example.com", ""]);
});
