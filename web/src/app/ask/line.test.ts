import { Search } from "lucide-react";
import { expect, test } from "vitest";
import type { Command } from "../commands.ts";
import { NO_OFFER, entriesOf, withCompletion } from "./line.ts";
import { marksInWords } from "./marksInWords.ts";

const command = (label: string): Command => ({ id: label, group: "Pages", label, icon: Search, run: () => undefined });
const [page, actor, answer, completion] = ["Orders", "Ann", "orders by plan", "plan"].map(command) as [Command, Command, Command, Command];
const OFFER = { ...NO_OFFER, answers: [answer], completions: [completion] };

const labelsOf = (offer: typeof OFFER, text: string) => entriesOf([page], [actor], offer, text).map(({ label }) => label);

test("what has the typed name comes first, then a question, then what only holds the words", () => {
  expect(labelsOf({ ...OFFER, isQuestion: true }, "orders ")).toEqual(["Orders", "orders by plan", "Ann", "plan"]);
  expect(labelsOf({ ...OFFER, isQuestion: true }, "orders by")).toEqual(["orders by plan", "plan", "Orders", "Ann"]);
  expect(labelsOf({ ...OFFER, answers: [] }, "ord")).toEqual(["Orders", "Ann", "plan"]);
});

test("while somebody chooses what to do with an answer, there is nothing else", () => {
  expect(labelsOf({ ...OFFER, isQuestion: true, isChoosing: true }, "orders")).toEqual(["orders by plan"]);
});

test("a completion takes the place of what was typed of it, and the cursor goes behind it", () => {
  expect(withCompletion({ text: "a by co, today", cursor: 7 }, "country", 5)).toEqual({ text: "a by country , today", cursor: 13 });
});

test("the first mark is said in words", () => {
  expect(marksInWords("a by plam", [{ start: 5, end: 9, choices: ["plan"] }])).toBe("“plam” isn't known here. Try plan.");
  expect(marksInWords("a by", [{ start: 4, end: 4, choices: ["plan", "country"] }])).toBe("Go on with plan, country.");
  expect(marksInWords("a", [])).toBe("");
  const page = "x".repeat(10_000);
  expect(marksInWords(page, [{ start: 0, end: page.length, choices: [] }])).toBe(`“${"x".repeat(60)}…” isn't known here.`);
});
