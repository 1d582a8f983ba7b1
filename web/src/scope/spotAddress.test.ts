import { expect, test } from "vitest";
import { isSameSpot, spotFromText, spotSearchOf } from "./spotAddress.ts";

test.each([[{}], [{ t: "2026-11-20T00:00:00.000Z", label: "a ~ b" }], [{ label: null, kind: "none" as const }], [{ cell: [6, 23] as [number, number] }]])(
  "the spot %j is read from its address",
  (spot) => {
    const { who, at } = spotSearchOf("w1", spot);
    expect(who).toBe("w1");
    expect(isSameSpot(spotFromText(at) ?? { item: -1 }, spot)).toBe(true);
  },
);

test.each(["", "{", "[]", "null", "7"])("%j is no spot", (text) => {
  expect(spotFromText(text)).toBeNull();
});

test("spots differ by any of their parts", () => {
  expect(isSameSpot({ label: null, kind: "none" }, { label: null, kind: "other" })).toBe(false);
  expect(isSameSpot({ step: 1 }, { step: 1, outcome: "reached" })).toBe(false);
  expect(isSameSpot({ label: null }, { label: "null" })).toBe(false);
});
