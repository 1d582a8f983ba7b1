// Compares what was built with the budgets in sizes.json: prints a table, and fails when something is larger.
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";

const built = process.argv[2] ?? new URL("../../src/tallyroom/ui/static", import.meta.url).pathname;
const budgets = JSON.parse(readFileSync(new URL("../sizes.json", import.meta.url), "utf8"));
const manifest = JSON.parse(readFileSync(`${built}/manifest.json`, "utf8"));

/** Chunks below this part of their budget are left out of the table. */
const SHOWN = 4;

const size = (file) => gzipSync(readFileSync(`${built}/${file}`), { level: 9 }).length / 1000;
const sum = (files) => [...files].reduce((total, file) => total + size(file), 0);
const files = readdirSync(built, { recursive: true });
const named = (suffix) => files.filter((file) => suffix.test(file));

/** Returns the scripts that a module needs before it runs; with `lazily`, also those that it loads later. */
function scriptsOf(name, { lazily = false, seen = new Set() } = {}) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`sizes.json names ${name}, which was not built`);
  if (!seen.has(chunk.file)) {
    seen.add(chunk.file);
    // The entry leads to every page.
    const later = lazily && !chunk.isEntry ? (chunk.dynamicImports ?? []) : [];
    const next = [...(chunk.imports ?? []), ...later];
    for (const each of next) scriptsOf(each, { lazily, seen });
  }
  return seen;
}

const scripts = named(/\.js$/);
const first = new Set(["theme.js", ...budgets.firstLoad.pages.flatMap((page) => [...scriptsOf(page)])]);
const editor = new Set(budgets.editor.pages.flatMap((page) => [...scriptsOf(page, { lazily: true })]));
const rest = scripts.filter((file) => !first.has(file) && !editor.has(file));

const rows = [
  ["first load of a dashboard", sum(first), budgets.firstLoad.most],
  ["widget editor with its forms", sum([...editor].filter((file) => !first.has(file))), budgets.editor.most],
  ...rest.map((file) => [file, size(file), budgets.chunk.most]),
  ["all scripts", sum(scripts), budgets.scripts.most],
  ["all styles", sum(named(/\.css$/)), budgets.styles.most],
  ["all fonts", sum(named(/\.(woff2?|[to]tf)$/)), budgets.fonts.most],
];
rows.sort(([, one], [, other]) => other - one);
for (const [name, found, most] of rows.filter(([, found, most]) => found > most / SHOWN || !most)) {
  const verdict = found > most ? "  TOO LARGE" : "";
  console.log(`${found.toFixed(1).padStart(7)} of ${String(most).padStart(3)} KB  ${name}${verdict}`);
}
if (rows.some(([, found, most]) => found > most)) process.exit(1);
