import { expect, test } from "vitest";
import { cardNote } from "./cardNote.ts";
import type { Kind, Result } from "./definition.ts";

const plusPlan = { key: "plan", op: "eq", value: "plus" };
const perDay: Result = { kind: "timeseries", interval: "day", points: [] } as never;

const noteOf = (title: string, type: Kind, config: object, answer: Result = perDay): string => cardNote({ title, type, config }, answer);

test("beside a title that somebody wrote, the question is told with its filters", () => {
  const config = { event: "order", measure: "count", breakdown: "plan", filters: [plusPlan] };
  expect(noteOf("Sales", "metric", config)).toBe("per day · order by plan · plan is plus");
});

test("beside a title that is the question, only what it leaves open is told", () => {
  expect(noteOf("", "metric", { event: "order", measure: "count", filters: [plusPlan] })).toBe("per day");
  expect(noteOf("", "funnel", { steps: [{ event: "a" }, { event: "b" }] }, { kind: "funnel", count: "actor" } as never)).toBe("actors · 7-day window");
});

test("a strip of several numbers has no question for a title", () => {
  const item = { event: "order", measure: "count" };
  expect(noteOf("", "kpi", { items: [item, item] }, { kind: "kpi" } as never)).toBe("vs. previous period");
});
