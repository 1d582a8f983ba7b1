import { expect, test } from "vitest";
import { isSameSize, sizeAfterDrag, sizeAfterStep, sizeInWords, stepOfKey } from "./cardSizes.ts";

const CELL = { x: 100, y: 77 };
const NUMBER = { form: "number", partCount: 1 } as const;
const FUNNEL = { form: "funnel", partCount: 4 } as const;

test("the corner snaps to whole columns and rows", () => {
  expect(sizeAfterDrag({ w: 4, h: 4 }, { x: 149, y: 40 }, CELL, NUMBER)).toEqual({ w: 5, h: 5 });
  expect(sizeAfterDrag({ w: 4, h: 4 }, { x: 151, y: -30 }, CELL, NUMBER)).toEqual({ w: 6, h: 4 });
});

test("a card gets no smaller than what it shows needs, and no larger than the grid", () => {
  expect(sizeAfterDrag({ w: 4, h: 4 }, { x: -999, y: -999 }, CELL, NUMBER)).toEqual({ w: 3, h: 2 });
  expect(sizeAfterDrag({ w: 4, h: 6 }, { x: -999, y: -999 }, CELL, FUNNEL)).toEqual({ w: 3, h: 4 });
  expect(sizeAfterDrag({ w: 4, h: 4 }, { x: 9999, y: 9999 }, CELL, FUNNEL)).toEqual({ w: 12, h: 12 });
});

test("a card that is smaller by the API keeps its size until it grows", () => {
  expect(sizeAfterStep({ w: 1, h: 1 }, { w: -1, h: 0 }, NUMBER)).toEqual({ w: 1, h: 1 });
  expect(sizeAfterStep({ w: 1, h: 1 }, { w: 1, h: 0 }, NUMBER)).toEqual({ w: 2, h: 1 });
});

test("a card that is shown higher than it is saved grows from what is shown", () => {
  expect(sizeAfterStep({ w: 6, h: 2 }, { w: 0, h: 1 }, FUNNEL)).toEqual({ w: 6, h: 5 });
  expect(sizeAfterStep({ w: 6, h: 2 }, { w: 0, h: -1 }, FUNNEL)).toEqual({ w: 6, h: 2 });
});

test("arrows change one side by one", () => {
  const steps = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"].map(stepOfKey);
  expect(steps).toEqual([{ w: 1, h: 0 }, { w: -1, h: 0 }, { w: 0, h: 1 }, { w: 0, h: -1 }]);
  expect([stepOfKey("Enter"), stepOfKey("constructor")]).toEqual([undefined, undefined]);
});

test("a size is said in columns and rows", () => {
  expect(sizeInWords({ w: 6, h: 4 })).toBe("6 of 12 columns, 4 rows");
  expect(sizeInWords({ w: 1, h: 1 })).toBe("1 of 12 columns, 1 row");
  expect(isSameSize({ w: 1, h: 1 }, { w: 1, h: 2 })).toBe(false);
});
