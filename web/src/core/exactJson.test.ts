import { expect, test } from "vitest";
import { parseExact, writeExact } from "./exactJson.ts";

test("ids keep their digits, and small numbers stay numbers", () => {
  const text = '{"id": 201133927711440896, "negative": -9007199254740993, "safe": 9007199254740991, "list": [1, 2.5e3]}';
  expect(parseExact(text)).toEqual({ id: 201133927711440896n, negative: -9007199254740993n, safe: 9007199254740991, list: [1, 2500] });
});

test("digits within texts and keys are no numbers", () => {
  const text = String.raw`{"a\"201133927711440896": "x: 201133927711440896, \\", "b": "201133927711440896", "c": 201133927711440896}`;
  expect(parseExact(text)).toEqual({
    'a"201133927711440896': "x: 201133927711440896, \\",
    b: "201133927711440896",
    c: 201133927711440896n,
  });
});

test("what is written is what was sent", () => {
  const text = '{\n  "id": 201133927711440896,\n  "list": [\n    "a",\n    -9007199254740993\n  ]\n}';
  expect(writeExact(parseExact(text))).toBe(text);
});

test("a text that looks like a mark does no harm", () => {
  expect(parseExact('{"a": "\\u0000int:x", "b": 9007199254740993}')).toEqual({ a: "\u0000int:x", b: 9007199254740993n });
});

test("what is no JSON is refused as ever", () => {
  expect(() => parseExact("{1234567890123456789")).toThrow(SyntaxError);
});
