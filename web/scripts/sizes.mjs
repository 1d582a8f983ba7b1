// Compares what was built with the budgets in sizes.json: prints a table, and fails when something is larger.
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { budgets, filesOf, folder } from "./built.mjs";

/** Chunks below this part of their budget are left out of the table. */
const SHOWN = 4;

const size = (file) => gzipSync(readFileSync(`${folder}/${file}`), { level: 9 }).length / 1000;
const sum = (files) => [...files].reduce((total, file) => total + size(file), 0);
const files = readdirSync(folder, { recursive: true });
const named = (suffix) => files.filter((file) => suffix.test(file));

const scripts = named(/\.js$/);
const first = filesOf([...budgets.firstLoad.pages, ...budgets.firstLoad.cards]);
const editor = filesOf(budgets.editor.pages, { lazily: true });
const open = filesOf(budgets.public.pages, { of: "public" });
const rest = scripts.filter((file) => !first.scripts.has(file) && !editor.scripts.has(file) && !open.scripts.has(file));

const rows = [
  ["first load of a dashboard with every kind", sum(["theme.js", ...first.scripts]), budgets.firstLoad.most],
  ["widget editor with its forms", sum([...editor.scripts].filter((file) => !first.scripts.has(file))), budgets.editor.most],
  ["public dashboard with every kind", sum(["theme.js", ...open.scripts]), budgets.public.most],
  ...rest.map((file) => [file, size(file), budgets.chunk.most]),
  ["all scripts of the app", sum(scripts.filter((file) => !open.scripts.has(file))), budgets.scripts.most],
  ["styles of the first load", sum(["layers.css", ...first.styles]), budgets.styles.most],
  ["styles of a public dashboard", sum(["layers.css", ...open.styles]), budgets.styles.most],
  ["all fonts", sum(named(/\.(woff2?|[to]tf)$/)), budgets.fonts.most],
];
rows.sort(([, one], [, other]) => other - one);
for (const [name, found, most] of rows.filter(([, found, most]) => found > most / SHOWN || !most)) {
  const verdict = found > most ? "  TOO LARGE" : "";
  console.log(`${found.toFixed(1).padStart(7)} of ${String(most).padStart(3)} KB  ${name}${verdict}`);
}
if (rows.some(([, found, most]) => found > most)) process.exit(1);
