import { expect, test } from "vitest";
import fixture from "../../../fixtures/questions/lines.json";
import { NAMES } from "./lineFixture.ts";
import { readQuestion } from "./readQuestion.ts";
import { writeQuestion } from "./writeQuestion.ts";

const { questions } = fixture;

const marked = (line: string, names = NAMES) =>
  (readQuestion(line, names).marks ?? []).map(({ start, end, choices }) => ({ word: line.slice(start, end), choices }));

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
