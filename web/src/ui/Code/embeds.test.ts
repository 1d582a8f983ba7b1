import { expect, test } from "vitest";
import { embedCodeOf } from "./embeds.ts";

const URL = "https://tally.example.com/custom/graph.svg?name=a&theme=auto";

test("a picture is shown by its address, in Markdown and in HTML", () => {
  expect(embedCodeOf("URL", URL, "Votes")).toBe(URL);
  expect(embedCodeOf("Markdown", URL, "Votes")).toBe(`![Votes](${URL})`);
  expect(embedCodeOf("HTML", URL, "Votes")).toBe('<img src="https://tally.example.com/custom/graph.svg?name=a&amp;theme=auto" alt="Votes">');
});

test("no name of a picture ends its own text", () => {
  expect(embedCodeOf("Markdown", "/x", "a](javascript:1)\\")).toBe("![a\\](javascript:1)\\\\](/x)");
  expect(embedCodeOf("HTML", "/x", '"><script>')).toBe('<img src="/x" alt="&quot;&gt;&lt;script&gt;">');
});
