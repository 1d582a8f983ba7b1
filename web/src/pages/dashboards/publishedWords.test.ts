import { expect, test } from "vitest";
import { publicInWords } from "./publishedWords.ts";

const GROUPS = new Set(["server"]);
const COLUMNS = { columns: ["time", "event", "actor", "source", "prop:plan", "prop:server", "prop:actor"] };
const words = (type: string, config: object, publishRows = false): string =>
  publicInWords({ type, config, publishRows } as never, GROUPS);

test("a table says how many columns of individual events it publishes, or that its rows are not published", () => {
  const columns = "time, event, actor (masked), source (masked), plan, server (masked), actor";
  expect(words("table", COLUMNS, true)).toBe(`publishes 7 columns of individual events: ${columns}`);
  expect(words("table", { columns: ["time"] }, true)).toBe("publishes 1 column of individual events: time");
  expect(words("table", COLUMNS)).toBe(`publishes its column names, but no rows: time, event, actor, source, plan, server, actor`);
});

test("numbers say whose values label them", () => {
  const measured = { events: "all", measure: "count" };
  expect(words("metric", measured)).toBe("publishes numbers");
  expect(words("metric", { ...measured, overTime: true, breakdown: "plan" })).toBe("publishes numbers over time for each value of plan");
  expect(words("metric", { ...measured, breakdown: "prop:server" })).toBe("publishes numbers for each value of server (masked)");
  expect(words("metric", { ...measured, breakdown: "_actor" })).toBe("publishes numbers for each actor (masked)");
  expect(words("metric", { ...measured, breakdown: "actor" })).toBe("publishes numbers for each value of actor");
  expect(words("formula", { a: measured, expression: "a", breakdown: "name" })).toBe("publishes numbers for each event");
  expect(words("kpi", { items: [measured, measured] })).toBe("publishes 2 numbers, labeled");
});

test("a funnel names its events", () => {
  const steps = [{ event: "a" }, { event: "b" }];
  const plain = "publishes the names of 2 events, and how many reached each step";
  expect(words("funnel", { steps })).toBe(plain);
  expect(words("funnel", { steps, breakdown: "plan" })).toBe(`${plain} for each value of plan`);
});

test("every other kind says something, too", () => {
  for (const type of ["retention", "histogram", "heatmap", "note", "external"]) expect(words(type, {})).toMatch(/^publishes /);
});
