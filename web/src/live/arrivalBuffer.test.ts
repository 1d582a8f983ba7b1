import { expect, test } from "vitest";
import { ArrivalBuffer } from "./arrivalBuffer.ts";

test("the count is exact, also of what is no longer held", () => {
  const waiting = new ArrivalBuffer<number>(3);
  waiting.add([1, 2]);
  waiting.add([3, 4, 5]);
  expect(waiting.count).toBe(5);
  expect(waiting.release()).toEqual([3, 4, 5]);
  expect([waiting.count, waiting.release()]).toEqual([0, []]);
});
