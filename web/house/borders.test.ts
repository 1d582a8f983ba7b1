import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import { beforeAll, expect, test } from "vitest";

const web = fileURLToPath(new URL("..", import.meta.url));
let eslint: ESLint;

beforeAll(() => {
  eslint = new ESLint({ cwd: web });
});

/** The rules that a line breaks when it stands in a file that exists. */
async function broken(path: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: `${web}/${path}` });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? "none");
}

const forbidden: [what: string, path: string, code: string, rule: string][] = [
  ["a page imports another", "src/pages/keys/ListPage.tsx", 'import "../events/ListPage.tsx";', "boundaries/dependencies"],
  ["a part imports a page", "src/ui/Card/Card.tsx", 'import "../../pages/keys/ListPage.tsx";', "boundaries/dependencies"],
  ["core imports the API", "src/core/timeRanges.ts", 'import "../api/client.ts";', "boundaries/dependencies"],
  ["the API imports a part", "src/api/client.ts", 'import "../ui/Card/Card.tsx";', "boundaries/dependencies"],
  ["a page imports Radix", "src/pages/keys/ListPage.tsx", 'import "radix-ui";', "no-restricted-imports"],
  ["a chart knows the router", "src/charts/TimeSeries.tsx", 'import "@tanstack/react-router";', "no-restricted-imports"],
  ["a page fetches", "src/pages/keys/ListPage.tsx", 'void fetch("/v1/keys");', "no-restricted-globals"],
  ["a page opens a stream", "src/pages/events/ListPage.tsx", 'new EventSource("/");', "no-restricted-globals"],
  ["a page stores", "src/pages/keys/ListPage.tsx", "localStorage.clear();", "no-restricted-globals"],
  ["a public page asks as a member", "src/pages/public/PublicPage.tsx", 'import "../../api/widgets.ts";', "no-restricted-imports"],
  ["a public page knows the router", "src/pages/public/PublicPage.tsx", 'import "@tanstack/react-router";', "no-restricted-imports"],
  ["the public entry knows the app", "src/public.tsx", 'import "./app/Shell.tsx";', "no-restricted-imports"],
  ["a public page has a scope", "src/pages/public/PublicPage.tsx", 'import "../../scope/useScope.ts";', "no-restricted-imports"],
  ["text becomes HTML", "src/ui/Card/Card.tsx", 'export const x = <p dangerouslySetInnerHTML={{ __html: "" }} />;', "no-restricted-syntax"],
  ["a part speaks by itself", "src/ui/Card/Card.tsx", 'export const x = <p aria-live="polite" />;', "no-restricted-syntax"],
  ["a default export", "src/core/timeRanges.ts", "export default 1;", "import-x/no-default-export"],
];

test.each(forbidden)("lint refuses that %s", { timeout: 60_000 }, async (_, path, code, rule) => {
  expect(await broken(path, code)).toContain(rule);
});

test("lint accepts what a public page may ask", { timeout: 60_000 }, async () => {
  const found = await broken("src/pages/public/PublicPage.tsx", 'import "../../api/public.ts";\nimport "../../scope/theme.ts";');
  expect(found).not.toContain("no-restricted-imports");
});

test("lint accepts imports that go down", { timeout: 60_000 }, async () => {
  const found = await broken("src/pages/keys/ListPage.tsx", 'import "../../ui/Card/Card.tsx";\nimport "../../core/timeRanges.ts";');
  expect(found).not.toContain("boundaries/dependencies");
});
