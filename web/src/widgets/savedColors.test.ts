import { expect, test } from "vitest";
import { assignColors } from "../core/valueColors.ts";
import { withColors } from "./savedColors.ts";

const part = (label: string | null, kind?: "none" | "other") => ({ label, ...(kind ? { kind } : {}), points: [] });
const answerOf = (...series: ReturnType<typeof part>[]) => ({ kind: "multiseries", computedAt: "", interval: "day", series }) as const;
const airports = [part("LGA"), part("JFK"), part(null, "none"), part(null, "other")];

test("a saved config has the colors that its preview shows, and keeps those of labels that are not there", () => {
  const colors = assignColors(["LGA", "JFK", "(none)"], { JFK: 3 });
  expect(withColors({ limit: 5, display: { goal: 4, colors: { JFK: 3, SEA: 8 } } }, answerOf(...airports))).toEqual({
    limit: 5,
    display: { goal: 4, colors: { ...Object.fromEntries(colors), SEA: 8 } },
  });
});

test("a saved config has as many as the server takes, those that are shown first, and none of a label that is too long", () => {
  const saved = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`old-${index}`, 1]));
  const { display } = withColors({ display: { colors: saved } }, answerOf(part("new"), part("x".repeat(257))));
  const labels = Object.keys(display.colors);
  expect([labels.length, labels[0], labels.includes("x".repeat(257))]).toEqual([50, "new", false]);
});

test("a saved funnel has the colors of its labels", () => {
  const answer = { kind: "funnel", computedAt: "", count: "actor", steps: [], series: ["pro", "free"].map((label) => ({ label, steps: [] })) } as const;
  expect(withColors({ display: { colors: { pro: 5 } } }, answer as never).display.colors).toEqual(Object.fromEntries(assignColors(["pro", "free"], { pro: 5 })));
});

test("a config stays as it is where no series are shown, or no answer has come", () => {
  const config = { display: { goal: 4 } };
  expect(withColors(config, { kind: "counter", computedAt: "", value: 1, previous: null, delta: null })).toBe(config);
  expect(withColors(config, undefined)).toBe(config);
});
