import { expect, test } from "vitest";
import { splitCode } from "./pieces.ts";

test("texts in quotation marks are told from the rest, and nothing is lost", () => {
  const code = `curl -H "A: b" -d '{"name":"hello"}'`;
  expect(splitCode(code).filter(({ isQuoted }) => isQuoted).map(({ text }) => text)).toEqual([`"A: b"`, `'{"name":"hello"}'`]);
  expect(splitCode(code).map(({ text }) => text).join("")).toBe(code);
});

test("an escaped mark does not end a text", () => {
  expect(splitCode(String.raw`say("a \"b\" c")`)[1]).toEqual({ text: String.raw`"a \"b\" c"`, isQuoted: true });
});
