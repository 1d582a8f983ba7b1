import { describe, expect, test } from "vitest";
import examples from "../../../src/tallyroom/server/openapi/examples.json";
import { definitionOf, DEFINITIONS } from "./registry.ts";

const timezone = "Europe/Berlin";

describe("the answers that the API documents", () => {
  test.each(examples)("$name: $summary", ({ request, answer }) => {
    const definition = definitionOf(request.type);
    expect(definition).toBeDefined();
    // The documents say which config and which answer belong together.
    const [config, given] = [request.config as never, answer as never];
    const { columns, rows } = definition?.table(given, config, timezone) ?? { columns: [], rows: [] };
    expect(columns.length).toBeGreaterThan(0);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(definition?.note(config, given)).not.toMatch(/undefined|null|NaN/);
  });
});

test("every kind has a name of its own", () => {
  expect(new Set(DEFINITIONS.map(({ label }) => label)).size).toBe(DEFINITIONS.length);
  expect(DEFINITIONS).toHaveLength(10);
});

test("a kind that is newer than the app is unknown", () => {
  expect(definitionOf("galaxy")).toBeUndefined();
  expect(definitionOf("toString")).toBeUndefined();
});
