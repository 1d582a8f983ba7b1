// `make dev`: the server, and Vite in front of it, until Ctrl-C or until one of them ends; arguments are the server's.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const args = process.argv.slice(2);
const named = args.findIndex((each) => /^--port(=|$)/.test(each));
const port = named < 0 ? (process.env.TALLYROOM_PORT ?? "8480") : (args[named].split("=")[1] ?? args[named + 1]);
const env = { TALLYROOM_DATA: "./data", TALLYROOM_LOG_LEVEL: "debug", ...process.env, TALLYROOM_URL: `http://127.0.0.1:${port}` };

const both = [
  spawn(here("../../.venv/bin/tallyroom"), ["serve", ...args], { cwd: here("../.."), env, stdio: "inherit" }),
  spawn(process.execPath, [here("../node_modules/vite/bin/vite.js")], { cwd: here(".."), env, stdio: ["ignore", "inherit", "inherit"] }),
];
let status = 0;
const stop = () => both.forEach((each) => each.exitCode ?? each.kill("SIGTERM"));
for (const each of both) {
  each.on("exit", (code) => {
    status ||= code ?? 0;
    stop();
  });
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
process.on("exit", () => (process.exitCode = status));
