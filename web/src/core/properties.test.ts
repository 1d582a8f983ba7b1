import { expect, test } from "vitest";
import { propertiesInWords } from "./properties.ts";

test("the first plain properties stand in a line", () => {
  const properties = { server: "Lofi", track: { a: 1 }, note: "x".repeat(41), empty: "", shard: 14, live: true, none: null, b: 2, c: 3 };
  expect(propertiesInWords(properties, "server")).toBe("shard 14 · live true · b 2");
});

test.each([null, "text", [], {}])("%j has none", (properties) => {
  expect(propertiesInWords(properties)).toBe("");
});
