import { expect, test } from "vitest";
import { embedCode, pictureCode } from "./sharing.ts";

test("a name stays inside the attribute of the frame", () => {
  const code = embedCode("https://tally.example/p/abc", 'A "><script> & more');
  expect(code).toContain('title="A &quot;&gt;&lt;script&gt; &amp; more"');
  expect(code).toContain('src="https://tally.example/p/abc?embed=1"');
});

test("a title stays inside the brackets of the picture", () => {
  const widget = { id: "w1", title: "[x](y) \\", type: "metric" };
  expect(pictureCode("https://tally.example", "abc", widget)).toBe(
    "![\\[x\\](y) \\\\](https://tally.example/custom/widgets/abc/w1.svg?theme=auto)",
  );
});

test("a note has no picture, and a widget without a title is called by its type", () => {
  expect(pictureCode("https://tally.example", "abc", { id: "w1", title: "x", type: "note" })).toBeNull();
  expect(pictureCode("https://tally.example", "abc", { id: "w1", title: "", type: "kpi" })).toMatch(/^!\[kpi\]/);
});
