import { expect, test } from "vitest";
import { type Filter, filterFromText, filterInWords, filterToText } from "./filters.ts";

const written: [Filter, string][] = [
  [{ key: "plan", op: "eq", value: "pro" }, "plan:eq:pro"],
  [{ key: "amount", op: "gt", value: 100 }, "amount:gt:100"],
  [{ key: "zip", op: "eq", value: "01067" }, 'zip:eq:"01067"'],
  [{ key: "trial", op: "eq", value: true }, "trial:eq:true"],
  [{ key: "word", op: "eq", value: "true" }, 'word:eq:"true"'],
  [{ key: "prop:plan", op: "in", value: ["a,b", "c"] }, "prop%3Aplan:in:a%2Cb,c"],
  [{ key: "plan", op: "not_exists" }, "plan:not_exists"],
  [{ key: "share", op: "eq", value: "50%" }, 'share:eq:"50%25"'],
  [{ key: "quote", op: "contains", value: '"x' }, 'quote:contains:"\\"x"'],
  [{ key: "empty", op: "eq", value: "" }, "empty:eq:"],
  [
    { any: [{ key: "a", op: "eq", value: "x|y" }, { key: "b", op: "exists" }] },
    "any|a:eq:x%7Cy|b:exists",
  ],
];

test.each(written)("a filter is written for people and read again", (filter, text) => {
  expect(filterToText(filter)).toBe(text);
  expect(filterFromText(text)).toEqual(filter);
});

test.each(["", ":", "a", "a:b", "a:eq", "a:eq:x:y", "a:exists:x", "a:__proto__:1", "any|", "any|a", ":eq:x"])(
  "%j is no filter",
  (text) => {
    expect(filterFromText(text)).toBeNull();
  },
);

test("any text survives as key and as value", () => {
  for (const text of ["%3A", "%", "a:b|c,d", "1e5", "-", "null", "[1]", "{}", "ü 🎉", "false positive", '"']) {
    const filter: Filter = { key: text, op: "eq", value: text };
    expect(filterFromText(filterToText(filter))).toEqual(filter);
  }
});

test("words join alternatives with or", () => {
  expect(filterInWords({ any: [{ key: "amount", op: "gt", value: 5 }, { key: "plan", op: "exists" }] })).toBe(
    "amount > 5 or plan is set",
  );
});
