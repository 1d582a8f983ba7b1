import { expect, test } from "vitest";
import type { Mapping } from "./mapping.ts";
import { EMPTY_TOTALS, runImport } from "./importRun.ts";

const mapping: Mapping = { roleByColumn: new Map([["event", "name"]]), event: "", unit: "auto", rowTimezone: "" };

test("what was sent before a file turned out to be unreadable is counted", async () => {
  const rows = ["event", ...Array.from({ length: 2_000 }, (_, index) => `e${index}`), '"never closed', ...Array.from({ length: 400_000 }, () => "lost row")];
  const bodies: string[] = [];
  let totals = EMPTY_TOTALS;
  const run = runImport({
    source: { file: new File([rows.join("\n")], "a.csv"), isNdjson: false, delimiter: "," },
    mapping,
    send: (body) => {
      bodies.push(body);
      return Promise.resolve({ status: 202, isReplay: false, error: null });
    },
    retryClock: { now: () => 0, pause: () => Promise.resolve() },
    onTotals: (found) => (totals = found),
    isStopped: () => false,
  });
  await expect(run).rejects.toThrow("so it is not CSV");
  expect(totals.acceptedCount).toBe(bodies.reduce((sum, body) => sum + (JSON.parse(body) as { events: unknown[] }).events.length, 0));
  expect(totals.acceptedCount).toBe(1_500);
});
