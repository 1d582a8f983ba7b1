import { createHash } from "node:crypto";
import { relative } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Where `make dev` finds the server whose API the app uses. */
const server = process.env.TALLYROOM_URL ?? "http://127.0.0.1:8480";

/** The paths that belong to the server; everything else is the app's. */
const api = ["/v1", "/custom", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics", "/sign-in", "/unsubscribe"];

/** Short names for classes, the same in every build: the stylesheet has a budget. */
function shortName(name: string, file: string): string {
  return `c${createHash("sha256").update(`${relative(import.meta.dirname, file.split("?")[0] ?? "")} ${name}`).digest("hex").slice(0, 6)}`;
}

export default defineConfig(({ command }) => ({
  plugins: [react()],
  css: command === "build" ? { modules: { generateScopedName: shortName } } : {},
  build: {
    outDir: "../src/tallyroom/ui/static",
    emptyOutDir: true,
    target: "es2023",
    // One stylesheet: its order cannot differ between development and the build.
    cssCodeSplit: false,
    // The content security policy allows nothing inline, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(api.map((path) => [path, { target: server, changeOrigin: false }])),
  },
  test: { include: ["src/**/*.test.{ts,tsx}", "house/**/*.test.ts"], environment: "node" },
}));
