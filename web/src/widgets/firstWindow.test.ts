import { expect, test } from "vitest";
import { cardCountInWindow } from "./firstWindow.ts";

const cards = (w: number, h: number) => Array.from({ length: 12 }, () => ({ w, h }));

test.each([
  ["a phone, below each other", cards(6, 4), 390, 844, 3],
  ["a phone, however wide they are elsewhere", cards(12, 4), 390, 844, 3],
  ["a desk, two in a row", cards(6, 4), 1440, 900, 6],
  ["a desk, one in a row, because two do not fit", cards(7, 4), 1440, 900, 3],
  ["a desk, four small ones in a row", cards(3, 2), 1440, 900, 12],
  ["one as high as the window", cards(12, 12), 1440, 900, 1],
  ["a window without room for any", cards(12, 2), 1440, 100, 0],
  ["no cards", [], 1440, 900, 0],
])("%s", (_, layouts, width, height, most) => {
  expect(cardCountInWindow(layouts, width, height)).toBe(most);
});

test("the highest card of a row decides where the next begins", () => {
  const layouts = [{ w: 6, h: 2 }, { w: 6, h: 12 }, { w: 6, h: 2 }];
  expect(cardCountInWindow(layouts, 1440, 900)).toBe(2);
});
