import { expect, test } from "vitest";
import { timeOfId } from "./events.ts";

test("an event's id begins with its time", () => {
  expect(timeOfId("019a9c2e-7f12-7c40-8a2b-0123456789ab")).toBe(0x019a9c2e7f12);
});

test.each(["", "019a9c2e", "019a9c2e-7f12-4c40-8a2b-0123456789ab", "019a9c2e-7f12-7c40-8a2b-0123456789ab0"])(
  "%j is no id of an event",
  (text) => {
    expect(timeOfId(text)).toBeNull();
  },
);
