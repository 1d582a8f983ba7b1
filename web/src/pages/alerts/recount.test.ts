import { expect, test } from "vitest";
import fixture from "../../../../fixtures/alerts/recounts.json";
import { type LimitCondition, recount } from "./recount.ts";

test.each(fixture.cases)("$condition $threshold: $why", ({ condition, threshold, values, lengths, incidents }) => {
  const listed = incidents.map(([firedAt, resolvedAt, value]) => ({ firedAt: at(firedAt), resolvedAt: resolvedAt === null ? null : at(resolvedAt), value }));
  expect(recount({ from: fixture.from, minutes: { values, lengths } }, condition as LimitCondition, threshold)).toEqual({ fired: listed.length, incidents: listed });
});

test("all incidents are counted and the first 500 listed, each with its end", () => {
  const values = Array.from({ length: 1_201 }, (_, index) => index % 2);
  const { fired, incidents } = recount({ from: fixture.from, minutes: { values, lengths: values.map(() => 1) } }, "above", 0);
  expect([fired, incidents.length]).toEqual([600, 500]);
  expect(incidents.at(-1)).toEqual({ firedAt: at(1_000), resolvedAt: at(1_001), value: 1 });
});

const at = (minute: number | null | undefined): string => new Date(Date.parse(fixture.from) + (minute ?? 0) * 60_000).toISOString();
