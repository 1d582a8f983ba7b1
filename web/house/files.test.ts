import { expect, test } from "vitest";
import { type SourceFile, sourceFiles } from "./files.ts";

const files = sourceFiles();
const LAYERS: Record<string, string> = { ui: "ui", charts: "charts", widgets: "widgets", scope: "scope", pages: "pages", app: "app" };
const VAGUE = /(^|[/.-])(utils?|helpers?|common|misc|shared|lib|base|legacy|v2|index)([/.-]|$)/i;

const failing = (broken: (file: SourceFile) => boolean) => files.filter(broken).map(({ path }) => path);
const folder = ({ path }: SourceFile) => path.split("/")[0] ?? "";
const isStyle = ({ path }: SourceFile) => path.endsWith(".module.css");

test("no file has a name that could hold anything", () => {
  expect(failing(({ path }) => VAGUE.test(path))).toEqual([]);
});

test("a component stands in a file of its name", () => {
  const wrong = failing(({ path, text }) => {
    const name = /(?:^|\/)([A-Z]\w*)\.tsx$/.exec(path)?.[1];
    return name !== undefined && !new RegExp(`export (function|const) ${name}\\b`).test(text);
  });
  expect(wrong).toEqual([]);
});

test("every style stands in the layer of its folder", () => {
  const wrong = failing((file) => isStyle(file) && !file.text.trimStart().startsWith(`@layer ${LAYERS[folder(file)] ?? "?"} {`));
  expect(wrong).toEqual([]);
});

test("colors are named in tokens.css alone", () => {
  const color = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(|\boklch\(/i;
  expect(failing((file) => isStyle(file) && color.test(file.text))).toEqual([]);
});

test("every color and size that a style names exists", () => {
  const tokens = files.find(({ path }) => path === "ui/tokens.css")?.text ?? "";
  const defined = new Set([...tokens.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const unknown = files.filter(isStyle).flatMap(({ path, text }) => {
    const own = new Set([...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    const used = [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
    // What a component sets in its `style` is named in its own file.
    const component = files.find((each) => each.path === path.replace(".module.css", ".tsx"))?.text ?? "";
    return used.filter((name) => name && !defined.has(name) && !own.has(name) && !component.includes(name)).map((name) => `${path}: ${name ?? ""}`);
  });
  // The sizes of a cell come with its layout; Radix sets those of its parts.
  expect(unknown.filter((line) => !/--(columns|rows|radix-[\w-]+)$/.test(line))).toEqual([]);
});

test("a style that nobody uses is not there", () => {
  const unused = files.filter(isStyle).flatMap(({ path, text }) => {
    const classes = [...text.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g)].map(([, name]) => name ?? "");
    const directory = path.slice(0, path.lastIndexOf("/"));
    const users = files.filter((each) => each.path.startsWith(directory) && each.text.includes(path.slice(path.lastIndexOf("/") + 1)));
    const used = (name: string) => users.some((each) => each.text.includes(`styles.${name}`) || each.text.includes("styles["));
    return [...new Set(classes)].filter((name) => !used(name)).map((name) => `${path}: .${name}`);
  });
  expect(unused).toEqual([]);
});

test("most files are short", () => {
  const lengths = files.filter(({ path }) => /\.tsx?$/.test(path)).map(({ text }) => text.split("\n").length).toSorted((one, other) => one - other);
  const at = (share: number) => lengths[Math.floor(lengths.length * share)] ?? 0;
  expect(at(0.5)).toBeLessThanOrEqual(80);
  expect(at(0.9)).toBeLessThanOrEqual(200);
});
