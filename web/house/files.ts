import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SRC = fileURLToPath(new URL("../src/", import.meta.url));

/** A file of the app: its path from `src/`, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Every file that somebody wrote, in order. */
export function sourceFiles(): SourceFile[] {
  const entries = readdirSync(SRC, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => `${entry.parentPath}/${entry.name}`.replace(SRC, "").replace(/^\//, ""));
  const written = paths.filter((path) => !path.endsWith(".gen.ts")).toSorted();
  return written.map((path) => ({ path, text: readFileSync(SRC + path, "utf8") }));
}
