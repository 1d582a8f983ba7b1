import { expect, test } from "vitest";
import fixture from "../../../fixtures/questions/lines.json";
import { NAMES } from "./lineFixture.ts";
import { readQuestion } from "./readQuestion.ts";
import { writeQuestion } from "./writeQuestion.ts";

const { questions } = fixture;

const marked = (line: string) =>
  (readQuestion(line, NAMES).marks ?? []).map(({ start, end, choices }) => ({ word: line.slice(start, end), choices }));

test.each(questions)("$line", ({ line, kind, config, environment, timeRange, from, to }) => {
  const range = timeRange ? { timeRange } : from ? { from, to } : undefined;
  expect(readQuestion(line, NAMES)).toEqual({ question: { kind, config, ...(range && { timeRange: range }), ...(environment && { environment }) } });
});

test.each(questions)("written and read again: $line", ({ line }) => {
  const { question } = readQuestion(line, NAMES);
  if (!question) throw new Error("not read");
  const canonicalLine = writeQuestion(question, NAMES);
  expect(readQuestion(canonicalLine, NAMES).question, canonicalLine).toEqual(question);
});

test.each([
  ["track.plai by plan", [["track.plai", "track.play"]]],
  ["track.play by plam, last 7 day", [["plam", "plan"], ["last 7 day", "last 7 days"]]],
  ["p95 of latency of track.play", [["latency", "latency_ms"]]],
  ["track.play where plan was pro", [["was", "has"], ["pro", "from"]]],
  ["funnel signup", [["", "or"]]],
  ["track.play by", [["", "plan"]]],
  ["track.play in segment Payin", [["Payin", "Paying"]]],
  ['track.play in segment "Other"', [['"Other"', "Paying"]]],
  ["signup by plan as number", [["number", "lines"]]],
  ["signup by plan by country", [["by", "top"], ["country", "where"]]],
  ["signup last 7 days, yesterday", [["yesterday", "by"]]],
  ['signup by "', [['"', "plan"]]],
  ["signup where amount > many", [["many", "9.5"]]],
  ["funnel signup, purchase per day", [["per", "or"], ["day", "last 7 days"]]],
])("%s: what is not known is marked, with what could be there", (line, words) => {
  expect(marked(line).map(({ word, choices }) => [word, choices[0]])).toEqual(words);
});

test.each([
  ['country is 49', "49"],
  ['amount is 49', 49],
  ['amount is "49"', "49"],
  ['beta is true', true],
  ['country is true', "true"],
  ['amount contains 4', "4"],
  ['never.sent > 4', 4],
  ['"never.sent" above 4', 4],
])("a value is what its key has had, as in a filter field: %s", (condition, value) => {
  const names = { ...NAMES, areKnown: false };
  const { question } = readQuestion(`signup where ${condition}`, names);
  expect(question?.config).toMatchObject({ filters: [{ value }] });
});

test("a name that was never sent counts in quotes, and before the names have arrived", () => {
  expect(readQuestion('"later"', NAMES).question?.config).toEqual({ event: "later", measure: "count" });
  expect(readQuestion("later", { ...NAMES, areKnown: false }).question?.config).toEqual({ event: "later", measure: "count" });
  expect(marked("later")[0]?.word).toBe("later");
});

test("a line without any word of the language or the environment is no question", () => {
  const isQuestion = (line: string) => {
    const reading = readQuestion(line, NAMES);
    return reading.marks === undefined || reading.isQuestion;
  };
  expect(["new segment", "orders", "bot 23", "orders by plan", "track.play"].map(isQuestion)).toEqual([false, false, false, true, true]);
});

test("parentheses are read to a depth that no expression has, and the rest is marked", () => {
  expect(readQuestion(`${"(".repeat(20)}signup${")".repeat(20)} / login`, NAMES).question?.kind).toBe("formula");
  expect(marked(`${"(".repeat(10_000)}signup`).length).toBeGreaterThan(0);
  expect(marked("- ".repeat(10_000)).length).toBeGreaterThan(0);
});

test("of a pasted page, the last mark goes to the end of the line", () => {
  const page = "no such words ".repeat(1_000).trim();
  const marks = marked(page);
  expect(marks).toHaveLength(20);
  expect(marks.reduce((length, { word }) => length + word.length + 1, 0)).toBe(page.length + 1);
});

test("a day that is not in the calendar is marked", () => {
  expect(marked("signup from 2026-02-30 to 2026-03-02")[0]?.word).toBe("2026-02-30");
  expect(marked("signup 2026-02-27 to 2026-02-29").map(({ word }) => word)).toEqual(["2026-02-29"]);
  expect(readQuestion("signup 2028-02-28 to 2028-02-29", NAMES).question?.timeRange).toEqual({ from: "2028-02-27T23:00:00.000Z", to: "2028-02-29T23:00:00.000Z" });
});

test("words of the language may have capitals", () => {
  expect(readQuestion("signup In Paying", NAMES)).toEqual(readQuestion("signup in Paying", NAMES));
});
