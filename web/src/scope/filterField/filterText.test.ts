import { expect, test } from "vitest";
import { type Condition, type Filter, OPERATORS, type Operator, takesList, takesValue } from "../filters.ts";
import { filterJudge, readFilter, writeFilter } from "./filterText.ts";

const TYPES = new Map([
  ["plan", ["string"]],
  ["plan name", ["string"]],
  ["amount", ["number"]],
  ["trial", ["boolean"]],
  ["zip", ["number", "string"]],
  ["tags", ["list"]],
]);

const read = (text: string) => readFilter(text, TYPES);

test.each<[string, Condition]>([
  ["plan is pro", { key: "plan", op: "eq", value: "pro" }],
  ["  plan   is   pro  ", { key: "plan", op: "eq", value: "pro" }],
  ["plan IS NOT pro", { key: "plan", op: "neq", value: "pro" }],
  ["plan = pro", { key: "plan", op: "eq", value: "pro" }],
  ["amount at least 5", { key: "amount", op: "gte", value: 5 }],
  ["plan begins with p", { key: "plan", op: "starts_with", value: "p" }],
  ["plan exists", { key: "plan", op: "exists" }],
  ["plan!=pro", { key: "plan", op: "neq", value: "pro" }],
  ["plan name is pro", { key: "plan name", op: "eq", value: "pro" }],
  ['"plan name" is pro', { key: "plan name", op: "eq", value: "pro" }],
  ["amount>100", { key: "amount", op: "gt", value: 100 }],
  ["amount >= 1.5", { key: "amount", op: "gte", value: 1.5 }],
  ["amount ≤ -2", { key: "amount", op: "lte", value: -2 }],
  ["amount > 9007199254740993", { key: "amount", op: "gt", value: "9007199254740993" }],
  ["never.seen > 5", { key: "never.seen", op: "gt", value: 5 }],
  ["never.seen is 5", { key: "never.seen", op: "eq", value: "5" }],
  ["amount is 5", { key: "amount", op: "eq", value: 5 }],
  ['zip is "01067"', { key: "zip", op: "eq", value: "01067" }],
  ["amount contains 5", { key: "amount", op: "contains", value: "5" }],
  ["trial is true", { key: "trial", op: "eq", value: true }],
  ["plan is true", { key: "plan", op: "eq", value: "true" }],
  ["plan is set", { key: "plan", op: "exists" }],
  ["plan is not set", { key: "plan", op: "not_exists" }],
  ["plan is settled", { key: "plan", op: "eq", value: "settled" }],
  ["plan is set up", { key: "plan", op: "eq", value: "set up" }],
  ['plan is "set"', { key: "plan", op: "eq", value: "set" }],
  ['plan is ""', { key: "plan", op: "eq", value: "" }],
  ["plan is one of pro, team,", { key: "plan", op: "in", value: ["pro", "team"] }],
  ["amount in 1, 2,x", { key: "amount", op: "in", value: [1, 2, "x"] }],
  ['plan not in "a, b", c', { key: "plan", op: "not_in", value: ["a, b", "c"] }],
  ["tags has new", { key: "tags", op: "has", value: "new" }],
  ["plan starts with p", { key: "plan", op: "starts_with", value: "p" }],
  ["plan matches ^p.*o$", { key: "plan", op: "regex", value: "^p.*o$" }],
  ["plan is war or peace", { key: "plan", op: "eq", value: "war or peace" }],
  ['plan is "pro or plan is team"', { key: "plan", op: "eq", value: "pro or plan is team" }],
  ['plan is say "hi"', { key: "plan", op: "eq", value: 'say "hi"' }],
])("%j is read", (text, condition) => {
  expect(read(text)).toEqual({ filter: condition });
});

test("or begins an alternative before a condition, whatever its key", () => {
  const filter: Filter = { any: [{ key: "plan", op: "in", value: ["a", "b"] }, { key: "amount", op: "gt", value: 5 }, { key: "new.key", op: "exists" }] };
  expect(read("plan is one of a, b or amount > 5 or new.key is set")).toEqual({ filter });
});

test.each(["", "plan", "plan is", "plan is not", "plan xyz", "plan is one of ,", 'plan contains ""', "plan is pro or", "plan is pro or amo", "plan is pro or amount >", "amount > many"])(
  "%j is no filter yet",
  (text) => {
    expect(read(text)).toHaveProperty("refusal");
  },
);

const TEXTS = [
  "pro", "So What", "a, b", '"', '"quoted"', 'say "hi"', " spaces ", "<b>bold</b> & more", "not set", "set", "one of us", "none of", "x or y", "x or plan is y",
  "or", "5", "-1.5", "true", "null", "\\d+\\", "line\nbreak", "tab\t", "", "ü 🎉", "=", "> 5", "'single'", ",", "a,b,", "% : |", "not", "is",
];
const KEYS = ["plan", "plan name", "a=b", 'quo"te', "or", "is", "x or y", "prop:name", "_actor", "ü 🎉", "a,b", "never seen", "amount"];
const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[];

function conditionsWith(op: Operator): Condition[] {
  if (!takesValue(op)) return KEYS.map((key) => ({ key, op }));
  const isOfTexts = op === "contains" || op === "starts_with" || op === "regex";
  const isOfNumbers = op === "gt" || op === "gte" || op === "lt" || op === "lte";
  const values = isOfNumbers ? [0, 5, -1.5, 1e21, "9007199254740993"] : isOfTexts ? TEXTS.filter((text) => text !== "") : TEXTS;
  if (takesList(op)) return KEYS.flatMap((key) => [{ key, op, value: TEXTS }, ...TEXTS.map((text) => ({ key, op, value: [text] }))]);
  return KEYS.flatMap((key) => values.map((value) => ({ key, op, value })));
}

test.each(OPERATOR_NAMES)("any key and value with %j reads as it was written", (op) => {
  for (const condition of conditionsWith(op)) {
    expect(read(writeFilter(condition, TYPES))).toEqual({ filter: condition });
  }
});

test.each<Condition>([
  { key: "amount", op: "eq", value: 5 },
  { key: "amount", op: "in", value: [5, "5", "x"] },
  { key: "trial", op: "neq", value: false },
  { key: "trial", op: "eq", value: "false" },
])("the type of a value is kept: %j", (condition) => {
  expect(read(writeFilter(condition, TYPES))).toEqual({ filter: condition });
});

test("any two conditions read as the alternatives that they are", () => {
  const conditions = OPERATOR_NAMES.map((op) => conditionsWith(op)[3]).filter((condition) => condition !== undefined);
  for (const condition of conditions) {
    for (const otherCondition of conditions) {
      const filter: Filter = { any: [condition, otherCondition] };
      expect(read(writeFilter(filter, TYPES))).toEqual({ filter });
    }
  }
});

test("only what would read as something else is in quotes", () => {
  const write = (value: string) => writeFilter({ key: "plan", op: "eq", value }, TYPES);
  expect(["pro", "So What", "a, b", "<b>", "it's"].map(write)).toEqual(["plan is pro", "plan is So What", "plan is a, b", "plan is <b>", "plan is it's"]);
  expect(["not set", " x", "x or plan is y", 'say "hi"'].map(write)).toEqual([
    'plan is "not set"',
    'plan is " x"',
    'plan is "x or plan is y"',
    String.raw`plan is "say \"hi\""`,
  ]);
});

test("a key that was never seen is asked about, in any of the conditions", () => {
  const judge = filterJudge(TYPES, (key) => (TYPES.has(key) ? "taken" : { question: `${key}?` }));
  expect(judge("plan is pro")).toBe("taken");
  expect(judge("plan is pro or new is set")).toEqual({ question: "new?" });
  expect(judge("plan is")).toHaveProperty("refusal");
});
