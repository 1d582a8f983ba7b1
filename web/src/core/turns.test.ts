import { expect, test } from "vitest";
import { makeTurns } from "./turns.ts";

test("a task begins when the one before it has ended, also if that failed", async () => {
  const log: string[] = [];
  const inTurn = makeTurns();
  const first = inTurn(async () => {
    await Promise.resolve();
    log.push("first ends");
    throw new Error("no");
  });
  const second = inTurn(() => {
    log.push("second begins");
    return Promise.resolve(2);
  });
  await expect(first).rejects.toThrow("no");
  expect(await second).toBe(2);
  expect(log).toEqual(["first ends", "second begins"]);
});
