import { expect, test } from "vitest";
import { alertCountInWords, deliveryInWords } from "./channelKinds.ts";

test.each([
  [{ type: "alert.fired", status: "sent", attempts: 1, error: null }, "fired · sent"],
  [{ type: "alert.resolved", status: "sent", attempts: 2, error: "HTTP 500" }, "resolved · sent on the 2nd attempt"],
  [{ type: "alert.nodata", status: "sent", attempts: 1, error: null }, "no data · sent"],
  [{ type: "alert.reminder", status: "waiting", attempts: 0, error: null }, "still firing · waiting"],
  [{ type: "alert.fired", status: "waiting", attempts: 11, error: "HTTP 503" }, "fired · waiting after 11 attempts: HTTP 503"],
  [{ type: "alert.fired", status: "failed", attempts: 1, error: "HTTP 404" }, "fired · failed after 1 attempt: HTTP 404"],
  [{ type: "alert.fired", status: "failed", attempts: 0, error: "the channel is switched off" }, "fired · failed: the channel is switched off"],
] as const)("what became of a message %#", (delivery, words) => expect(deliveryInWords(delivery)).toBe(words));

test("attempts are counted as people count", () => {
  const at = (attempts: number) => deliveryInWords({ type: "test", status: "sent", attempts, error: null });
  expect([3, 4, 11, 12, 21].map(at).map((words) => words.split(" ").at(-2))).toEqual(["3rd", "4th", "11th", "12th", "21st"]);
});

test("how many alerts tell a channel", () => {
  const alerts = [{ channelIds: ["a", "b"] }, { channelIds: ["a"] }];
  expect(["a", "b", "c"].map((id) => alertCountInWords({ id }, alerts))).toEqual(["2 alerts", "1 alert", "no alerts"]);
});
