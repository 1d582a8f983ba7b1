import { expect, test } from "vitest";
import { NAMES } from "./lineFixture.ts";
import { suggestionsAt } from "./suggestions.ts";

const textsAt = (line: string, cursor = line.length) => suggestionsAt(line, cursor, NAMES).map(({ text }) => text);

test.each([
  ["tra", ["track.play", "track.skip", "track.error"]],
  ["p9", ["p95", "p99"]],
  ["track.play by ", ["plan", "country", "duration_ms", "latency_ms", "amount", "beta", "order_id", '"user tier"', '"source"']],
  ["track.play by co", ["country"]],
  ["track.play by user", ['"user tier"']],
  ["track.play last 3", ["last 30 days"]],
  ["sum of am", ["amount"]],
  ["sum of amount of pur", ["purchase"]],
  ["signup where plan is ", ["free", "plus", "pro", "is not", "is one of", "is none of", "is set", "is not set"]],
  ["signup where plan is n", ["is not", "is none of", "is not set"]],
  ["funnel signup, proj", ["project_created"]],
  ["retention of signup ret", ["returning"]],
  ["signup against the w", ["the week before"]],
  ["signup in seg", ["in segment"]],
  ["signup in segment P", ["Paying"]],
  ["track.play by country", []],
])("%s", (line, texts) => {
  expect(textsAt(line)).toEqual(texts);
});

test("a suggestion replaces what was typed of it, up to the cursor", () => {
  const line = "track.play by co, last 7 days";
  expect(suggestionsAt(line, "track.play by co".length, NAMES)).toEqual([{ text: "country", detail: "string · DE, AT", start: "track.play by ".length }]);
});

test("behind a question, its clauses are offered", () => {
  expect(textsAt("track.play ")).toEqual(["or", "by", "where", "over time", "against", "as", "last 7 days", "from", "in segment"]);
});
