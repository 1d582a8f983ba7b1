import { expect, test } from "vitest";
import changes from "../../../fixtures/charts/changes.json";
import { changeInWords, changeOf } from "./changes.ts";

test.each(changes)("$value from $previous", ({ value, previous, direction, kind, text }) => {
  expect(changeOf(value, previous)).toEqual(direction === null ? null : { direction, kind, text });
});

test("a difference has its sign, everything else an arrow", () => {
  const words = (value: number, previous: number) => changeInWords(changeOf(value, previous) ?? { direction: "none", kind: "share", text: "" });
  expect([words(-4, -7), words(75, 100), words(420, 100), words(5, 5)]).toEqual(["+3", "↓ 25.0\u2009%", "↑ 4.2\u2009×", "no change"]);
});
