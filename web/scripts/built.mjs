// What the build wrote, and which of it a module needs.
import { readFileSync } from "node:fs";

export const folder = process.argv[2] ?? new URL("../../src/tallyroom/server/ui/static", import.meta.url).pathname;
export const budgets = JSON.parse(readFileSync(new URL("../sizes.json", import.meta.url), "utf8"));
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
const manifests = { app: read("manifest"), public: read("public-manifest") };

/** Everything of the first load is in one chunk with the entry; its modules have none of their own. */
function chunkOf(name, manifest) {
  const chunk = manifest[name] ?? (budgets.firstLoad.pages.includes(name) ? manifest["index.html"] : undefined);
  if (!chunk) throw new Error(`${name} was not built`);
  return chunk;
}

/** Returns the chunks that a module needs before it runs; with `lazily`, also those that it loads later. */
function chunksOf(name, lazily, manifest, seen = new Set()) {
  const chunk = chunkOf(name, manifest);
  if (!seen.has(chunk)) {
    seen.add(chunk);
    // The first load leads to every page.
    const later = lazily && !chunk.isEntry ? (chunk.dynamicImports ?? []) : [];
    for (const each of [...(chunk.imports ?? []), ...later]) chunksOf(each, lazily, manifest, seen);
  }
  return seen;
}

/** Returns the scripts and the stylesheets of some modules; with `lazily`, also those that they load later. */
export function filesOf(names, { lazily = false, of = "app" } = {}) {
  const chunks = names.flatMap((name) => [...chunksOf(name, lazily, manifests[of])]);
  return {
    scripts: new Set(chunks.map(({ file }) => file)),
    styles: new Set(chunks.flatMap(({ css = [] }) => css)),
  };
}
