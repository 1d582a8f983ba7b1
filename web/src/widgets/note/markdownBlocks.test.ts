import { describe, expect, test } from "vitest";
import { blocksOf, inlinesOf, safeAddress, type Block, type Inline } from "./markdownBlocks.ts";

const plain = (text: string): Inline => ({ type: "text", text });

describe("what a note may hold", () => {
  test("paragraphs, headings, lists and code", () => {
    expect(blocksOf("# Title\nfirst\nsecond\n\nthird\n- a\n- b\n1. c\n```\nx < y\n```\nend")).toEqual([
      { type: "heading", depth: 1, content: [plain("Title")] },
      { type: "paragraph", lines: [[plain("first")], [plain("second")]] },
      { type: "paragraph", lines: [[plain("third")]] },
      { type: "list", isOrdered: false, items: [[plain("a")], [plain("b")]] },
      { type: "list", isOrdered: true, items: [[plain("c")]] },
      { type: "code", text: "x < y" },
      { type: "paragraph", lines: [[plain("end")]] },
    ]);
  });

  test("bold, italics, code and links, within each other", () => {
    expect(inlinesOf("a **b *c* d** `e*f*` _g_ [h **i**](https://example.com/x?y=1#z)")).toEqual([
      plain("a "),
      { type: "bold", content: [plain("b "), { type: "italic", content: [plain("c")] }, plain(" d")] },
      plain(" "),
      { type: "code", text: "e*f*" },
      plain(" "),
      { type: "italic", content: [plain("g")] },
      plain(" "),
      { type: "link", href: "https://example.com/x?y=1#z", content: [plain("h "), { type: "bold", content: [plain("i")] }] },
    ]);
  });

  test("names with underscores, sums and lone marks stay as they are", () => {
    for (const text of ["snake_case_name", "2 * 3 * 4", "**", "a ** b", "`", "[x]", "[x]()", "_", "* *"]) {
      expect(inlinesOf(text), text).toEqual([plain(text)]);
    }
  });

  test("no heading is more than one deeper than the one before", () => {
    const depths = (text: string) => blocksOf(text).map((block) => block.type === "heading" && block.depth);
    expect(depths("# a\n## b\n### c\n###### d")).toEqual([1, 2, 3, 4]);
    expect(depths("### a\n# b\n#### c")).toEqual([1, 1, 2]);
  });

  test("a fence that is not closed ends with the note", () => {
    expect(blocksOf("```js\na\n\n# b")).toEqual([{ type: "code", text: "a\n\n# b" }]);
  });
});

describe("hostile notes", () => {
  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "http://example.com",
    "//example.com",
    "/v1/auth/logout",
    "https:example.com",
    "https://",
    "https://user:secret@example.com",
    "https://example.com@evil.example",
    " https://example.com",
    "\u0001https://example.com",
  ])("%j is no address", (href) => {
    expect(safeAddress(href)).toBeNull();
    expect(JSON.stringify(inlinesOf(`[x](${href})`))).not.toContain('"href"');
  });

  test("HTML is text", () => {
    const text = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
    expect(blocksOf(text)).toEqual([{ type: "paragraph", lines: [[plain(text)]] }]);
  });

  test("quotes in an address cannot leave it", () => {
    expect(safeAddress('https://example.com/"onmouseover="alert(1)')).toBe("https://example.com/%22onmouseover=%22alert(1)");
  });

  test("a link within a link is one link", () => {
    const found = inlinesOf("[**[a](https://a.example)**](https://b.example)");
    expect(JSON.stringify(found).match(/"href"/g) ?? []).toHaveLength(1);
  });

  test("no text is lost and none takes long, whatever the marks", () => {
    const marks = ["*", "**", "_", "`", "[", "](", "](https://a.example)", "*a", "_a ", "**a*", "\n- ", "\n# ", "```\n"];
    for (const mark of marks) {
      const text = mark.repeat(2_000);
      const start = performance.now();
      blocksOf(text);
      expect(performance.now() - start, mark).toBeLessThan(1_000);
    }
  });

  test("deep nesting ends", () => {
    const depth = (content: Inline[]): number =>
      1 + Math.max(0, ...content.map((each) => ("content" in each ? depth(each.content) : 0)));
    const [block] = blocksOf("**_".repeat(400) + "x" + "_**".repeat(400)) as [Extract<Block, { type: "paragraph" }>];
    expect(depth(block.lines[0] ?? [])).toBeLessThan(20);
  });
});
