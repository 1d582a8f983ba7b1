import { expect, test } from "vitest";
import { shortKey } from "./shortKeys.ts";

test("a long id is without its middle, and keeps its end", () => {
  expect(shortKey("100000000000000013")).toBe("1000…0013");
  expect(shortKey("9f1c2f0e-5d6b-4c1e-8f7a-0b1c2d3e4f50")).toBe("9f1c…4f50");
});

test("a short id and a name are whole", () => {
  expect(shortKey("123456789012")).toBe("123456789012");
  expect(shortKey("northern-lights-guild")).toBe("northern-lights-guild");
  expect(shortKey("The tea house of Ann")).toBe("The tea house of Ann");
});
