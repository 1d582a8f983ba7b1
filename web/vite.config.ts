import { createHash } from "node:crypto";
import { relative, resolve } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import sizes from "./sizes.json" with { type: "json" };
import { typefaceLicense, writeTypeface } from "./typeface.ts";

/** Where `make dev` finds the server whose API the app uses. */
const server = process.env.TALLYROOM_URL ?? "http://127.0.0.1:8480";

/** The paths that belong to the server; everything else is the app's. */
const api = ["/v1", "/custom", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics", "/sign-in", "/unsubscribe"];

/** Short names for classes, the same in every build: the stylesheet has a budget. */
function shortName(name: string, file: string): string {
  return `c${createHash("sha256").update(`${relative(import.meta.dirname, file.split("?")[0] ?? "")} ${name}`).digest("hex").slice(0, 6)}`;
}

/** Icons without their names, which nothing reads, and with counted keys: those of the library are random, which compresses badly. */
const smallIcons: Plugin = {
  name: "small-icons",
  apply: "build",
  transform: (code, id) => {
    if (!id.includes("lucide-react/dist/esm/icons/")) return null;
    let count = 0;
    return code.replace(/^ {2}name: ".*",\n/m, "").replace(/key: "\w+"/g, () => `key: "${count++}"`);
  },
};

/** The typeface is made before anything that loads it; the public page takes the same files. */
const typeface: Plugin = {
  name: "typeface",
  apply: (_, { mode }) => mode !== "test",
  buildStart: writeTypeface,
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "assets/inter-license.txt", source: typefaceLicense() });
  },
};

interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

/** What a dashboard needs before it shows: the modules that `sizes.json` names, and all that they import. */
const firstLoad = new Set<string>();

function isOfFirstLoad(id: string, graph: Graph): boolean {
  const visit = (each: string) => {
    if (firstLoad.has(each)) return;
    firstLoad.add(each);
    graph.getModuleInfo(each)?.importedIds.forEach(visit);
  };
  if (firstLoad.size === 0) for (const page of sizes.firstLoad.pages) visit(resolve(import.meta.dirname, page));
  return firstLoad.has(id);
}

/** The first load in two files instead of sixty: browsers fetch six at a time. Libraries change less often. */
const groups = [
  {
    name: (id: string, graph: Graph) => (id.includes("/node_modules/") && isOfFirstLoad(id, graph) ? "libraries" : null),
    priority: 2,
  },
  { name: (id: string, graph: Graph) => (isOfFirstLoad(id, graph) ? "app" : null), priority: 1 },
];

/** Serve the page of public dashboards at their addresses, as the server does. */
const publicPage: Plugin = {
  name: "public-page",
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (request.url?.startsWith("/p/")) request.url = "/public.html";
      next();
    });
  },
};

/** Leaves out the forms of the widget editor, which nobody opens on a public page. */
const withoutForms: Plugin = {
  name: "without-forms",
  enforce: "pre",
  resolveId: (id) => (id === "./Form.tsx" ? "\0form" : null),
  load: (id) => (id === "\0form" ? "export const Form = () => null;" : null),
};

/** React has the hook itself since its 18th version; the library brings one for those before. */
const ownStore = [{ find: "use-sync-external-store/shim/with-selector", replacement: "use-sync-external-store/with-selector" }];

/**
 * The page of public dashboards is built apart, with Preact in React's place: who opens it has nothing of the app yet,
 * and React alone is larger than all that the page draws. It shares the code, but no file, with the app.
 */
const apart = {
  plugins: [react(), withoutForms, smallIcons],
  alias: [
    { find: /^react\/jsx-(dev-)?runtime$/, replacement: "preact/jsx-runtime" },
    { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
    { find: /^react(-dom)?$/, replacement: "preact/compat" },
  ],
  build: { emptyOutDir: false, copyPublicDir: false, manifest: "public-manifest.json", rolldownOptions: { input: "public.html" } },
};

export default defineConfig(({ command, mode }) => ({
  plugins: mode === "public" ? apart.plugins : [react(), publicPage, smallIcons, typeface],
  resolve: { alias: mode === "public" ? apart.alias : ownStore },
  css: command === "build" ? { modules: { generateScopedName: shortName } } : {},
  build: {
    outDir: "../src/tallyroom/server/ui/static",
    emptyOutDir: true,
    target: "es2023",
    // The content security policy allows nothing inline, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    // A page's own scripts stand in preloads.json. Here, the lists of all pages would be in the first load.
    modulePreload: { polyfill: false, resolveDependencies: (_, files) => files.filter((file) => file.endsWith(".css")) },
    manifest: "manifest.json",
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
    ...(mode === "public" ? apart.build : {}),
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(api.map((path) => [path, { target: server, changeOrigin: false }])),
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "house/**/*.test.ts"],
    environment: "node",
    // The tests replace nothing that is shared. A process for each file would load the same modules a hundred times.
    isolate: false,
    pool: "threads",
  },
}));
