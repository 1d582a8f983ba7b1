import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles } from "./files.ts";

const IMPORT = /^\s*(?:import|export)\b[^"';]*?from "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

/** What each module imports, types and what is loaded later included: lint's own rule does not look at types. */
function importsOf(files: readonly { path: string; text: string }[]): Map<string, string[]> {
  const modules = files.filter(({ path }) => /\.tsx?$/.test(path));
  return new Map(
    modules.map(({ path, text }) => [path, [...text.matchAll(IMPORT)].map(([, from, later]) => join(dirname(path), from ?? later ?? ""))]),
  );
}

/** Return every circle of modules that import one another, each as the path that leads back to its beginning. */
function circlesIn(imports: Map<string, string[]>): string[] {
  const circles: string[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (finished.has(path) || trail.includes(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

test("no module imports itself by way of others, not even for a type", () => {
  expect(circlesIn(importsOf(sourceFiles()))).toEqual([]);
});

test.each([
  ["a type", 'import type { B } from "./b.ts";'],
  ["a type among values", 'import {\n  b,\n  type B,\n} from "./b.ts";'],
  ["what is loaded later", 'const later = () => import("./b.ts");'],
  ["what is passed on", 'export { b } from "./b.ts";'],
])("a circle by %s is seen", (_, text) => {
  const files = [
    { path: "ui/a.ts", text },
    { path: "ui/b.ts", text: 'import { a } from "./a.ts";' },
  ];
  expect(circlesIn(importsOf(files))).toEqual(["ui/a.ts -> ui/b.ts -> ui/a.ts"]);
});
