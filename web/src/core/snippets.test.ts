import { expect, test } from "vitest";
import { snippets } from "./snippets.ts";

const examples = snippets("https://tally.example:8443", "tr_test_abc");

test("each example holds the address and the key, and nothing is left to fill in", () => {
  expect(examples.map(({ name }) => name)).toEqual(["Python", "Discord bot", "curl", "JavaScript", "OTLP"]);
  for (const { code } of examples) {
    expect(code).toContain("https://tally.example:8443");
    expect(code).toContain("tr_test_abc");
    expect(code).not.toMatch(/undefined|YOUR_KEY|\$\{/);
  }
});

test("the bodies of the shell examples are JSON in single quotation marks", () => {
  const bodies = examples.flatMap(({ code }) => [...code.matchAll(/-d '([^']*)'/g)].map(([, body]) => body ?? ""));
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect(() => JSON.parse(body) as unknown).not.toThrow();
});
