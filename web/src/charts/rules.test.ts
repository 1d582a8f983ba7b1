import { expect, test } from "vitest";
import { placeRules } from "./rules.ts";

const share = (value: number) => value / 100;

test("labels stand over their rules, and within the chart", () => {
  const placed = placeRules([{ value: 1, label: "median 1" }, { value: 50, label: "p80 50" }, { value: 99, label: "p95 99" }], share, 800);
  expect(placed.map(({ share, side }) => [share, side])).toEqual([
    [0.01, "after"],
    [0.5, "middle"],
    [0.99, "before"],
  ]);
});

test("where two labels would touch, the second says both", () => {
  const placed = placeRules([{ value: 40, label: "median 40" }, { value: 44, label: "p95 44" }], share, 500);
  expect(placed.map(({ label }) => label)).toEqual(["", "median 40 · p95 44"]);
  expect(placeRules([{ value: 40, label: "median 40" }, { value: 80, label: "p95 80" }], share, 500).map(({ label }) => label)).toEqual(["median 40", "p95 80"]);
});

test("a label that stands before its rule takes the room there", () => {
  const placed = placeRules([{ value: 50, label: "median 50" }, { value: 95, label: "p95 95" }], share, 180);
  expect(placed.map(({ label }) => label)).toEqual(["", "median 50 · p95 95"]);
});
