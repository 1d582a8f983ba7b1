import { expect, test } from "vitest";
import { onlyOne, silenceInWords } from "./channels.ts";

const on = (id: string) => ({ id, enabled: true });
const off = (id: string) => ({ id, enabled: false });

test("the only channel that is on is meant", () => {
  expect(onlyOne([on("a")])).toEqual(["a"]);
  expect(onlyOne([off("b"), on("a")])).toEqual(["a"]);
  expect(onlyOne([off("b")])).toEqual([]);
  expect(onlyOne([on("a"), on("b")])).toEqual([]);
  expect(onlyOne([])).toEqual([]);
});

test("nobody is notified without a channel that is on", () => {
  expect(silenceInWords([], [on("a")])).toBe("It has no channel.");
  expect(silenceInWords(["a"], [off("a"), on("b")])).toBe("Its channel is switched off.");
  expect(silenceInWords(["a", "b"], [off("a"), off("b")])).toBe("All its channels are switched off.");
  expect(silenceInWords(["a", "b"], [off("a"), on("b")])).toBe("");
  expect(silenceInWords(["a"], undefined)).toBe("");
});
