import { expect, test } from "vitest";
import { counterOf } from "./botCounters.ts";

test("a counter that was never sent is no zero", () => {
  const bot = { server_count: 0, monthly_votes: 0, unreported: ["server_count"] };
  expect([counterOf(bot, "server_count"), counterOf(bot, "monthly_votes"), counterOf(bot, "shard_count")]).toEqual([null, 0, null]);
});
