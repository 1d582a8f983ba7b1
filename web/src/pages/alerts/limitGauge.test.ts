import { expect, test } from "vitest";
import { limitGaugeOf } from "./limitGauge.ts";

type Fields = Parameters<typeof limitGaugeOf>[0];
const alert: Fields = { condition: "above", lastValue: 25, threshold: 100, noDataSince: null };

test("a value and its limit share a base, whichever is greater", () => {
  expect(limitGaugeOf(alert)).toEqual({ valueShare: 0.225, limitShare: 0.9 });
  expect(limitGaugeOf({ ...alert, lastValue: 400 })).toEqual({ valueShare: 0.9, limitShare: 0.225 });
  expect(limitGaugeOf({ ...alert, condition: "below", lastValue: 0 })).toEqual({ valueShare: 0, limitShare: 0.9 });
});

test.each<[string, Partial<Fields>]>([
  ["no value", { lastValue: null }],
  ["no data", { noDataSince: "2026-11-20T00:00:00.000Z" }],
  ["no limit", { threshold: null }],
  ["a limit of something else than values", { condition: "rises" }],
  ["a negative value", { lastValue: -3 }],
  ["zeros only", { lastValue: 0, threshold: 0 }],
])("there is none with %s", (_, change) => {
  expect(limitGaugeOf({ ...alert, ...change })).toBeNull();
});
