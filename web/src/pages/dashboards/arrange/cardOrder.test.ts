import { expect, test } from "vitest";
import { type CardOrder, moveId, nextWidth, orderedLike, reorder } from "./cardOrder.ts";

const start: CardOrder = { ids: ["a", "b", "c"], grab: null };
const after = (...actions: Parameters<typeof reorder>[1][]) => actions.reduce(reorder, start);

test("a held card moves by steps and stops at the ends", () => {
  expect(after({ type: "grab", id: "a" }, { type: "move", step: 1 }).ids).toEqual(["b", "a", "c"]);
  expect(after({ type: "grab", id: "a" }, { type: "move", step: -1 }).ids).toEqual(["a", "b", "c"]);
  expect(after({ type: "grab", id: "b" }, { type: "move", step: 1 }, { type: "move", step: 1 }).ids).toEqual(["a", "c", "b"]);
});

test("cancelling restores the order before", () => {
  expect(after({ type: "grab", id: "c" }, { type: "move", step: -1 }, { type: "move", step: -1 }, { type: "cancel" })).toEqual(start);
});

test("dropping keeps the order", () => {
  expect(after({ type: "grab", id: "c" }, { type: "move", step: -1 }, { type: "drop" })).toEqual({ ids: ["a", "c", "b"], grab: null });
});

test("what is not held does not move", () => {
  expect(after({ type: "move", step: 1 })).toEqual(start);
});

test("an id that is not there changes nothing", () => {
  expect(moveId(["a", "b"], "x", 0)).toEqual(["a", "b"]);
});

test("a card goes from width to width, and stops at the ends", () => {
  expect([3, 5, 12].map((width) => nextWidth(width, 1))).toEqual([4, 6, 12]);
  expect([3, 5, 12].map((width) => nextWidth(width, -1))).toEqual([3, 4, 8]);
});

test("an order from before a card was deleted and another added leaves out the one and ends with the other", () => {
  expect(orderedLike(["a", "c", "new"], ["c", "b", "a"])).toEqual(["c", "a", "new"]);
});
