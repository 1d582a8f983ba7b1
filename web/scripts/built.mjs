// What the build wrote, and which scripts a module needs.
import { readFileSync } from "node:fs";

export const folder = process.argv[2] ?? new URL("../../src/tallyroom/ui/static", import.meta.url).pathname;
export const budgets = JSON.parse(readFileSync(new URL("../sizes.json", import.meta.url), "utf8"));
const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8"));

/** Everything of the first load is in one chunk with the entry; its modules have none of their own. */
function chunkOf(name) {
  const chunk = manifest[name] ?? (budgets.firstLoad.pages.includes(name) ? manifest["index.html"] : undefined);
  if (!chunk) throw new Error(`${name} was not built`);
  return chunk;
}

/** Returns the scripts that a module needs before it runs; with `lazily`, also those that it loads later. */
export function scriptsOf(name, { lazily = false, seen = new Set() } = {}) {
  const chunk = chunkOf(name);
  if (!seen.has(chunk.file)) {
    seen.add(chunk.file);
    // The first load leads to every page.
    const later = lazily && !chunk.isEntry ? (chunk.dynamicImports ?? []) : [];
    const next = [...(chunk.imports ?? []), ...later];
    for (const each of next) scriptsOf(each, { lazily, seen });
  }
  return seen;
}
