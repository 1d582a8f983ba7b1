import { expect, test } from "vitest";
import type { BehindPage } from "../../api/widgets.ts";
import { actorsFilter, unitCountInWords } from "./unitPages.ts";

const pageOf = (actorKeys: readonly string[], total = actorKeys.length) =>
  ({ total, actors: actorKeys.map((actorKey) => ({ actorKey })), next: null }) as unknown as BehindPage;
const groups = { total: 1, groups: [{ groupKey: "acme" }], next: null } as unknown as BehindPage;

test("units are counted in words", () => {
  expect([undefined, pageOf(["a", "b"]), groups].map(unitCountInWords)).toEqual(["Actors", "2 actors", "1 group"]);
});

test("a filter names all actors of a number, or none", () => {
  expect(actorsFilter(pageOf(["a", "b"]))).toEqual({ key: "_actor", op: "in", value: ["a", "b"] });
  expect(actorsFilter(pageOf(["a", "b"], 3))).toBeNull();
  expect(actorsFilter(pageOf(Array.from({ length: 100 }, (_, index) => `${index}`.padStart(64, "x"))))).toBeNull();
  expect([groups, pageOf([]), undefined].map(actorsFilter)).toEqual([null, null, null]);
});
