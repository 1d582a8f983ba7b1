import { expect, test } from "vitest";
import { isFailure } from "./failureNames.ts";

test.each(["track.error", "payment_failed", "Login failure", "error", "job:crashed", "ERROR"])("%s is a failure", (name) => {
  expect(isFailure(name)).toBe(true);
});

test.each(["track.play", "terror", "error.fixed", "failover", "without fail2ban", ""])("%j is none", (name) => {
  expect(isFailure(name)).toBe(false);
});
