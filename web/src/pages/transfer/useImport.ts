import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { sendEvents } from "../../api/ingest.ts";
import { createKey, keysQuery, revokeKey, revokeKeyOnLeaving } from "../../api/keys.ts";
import { errorInLine } from "../../api/words.ts";
import { announce } from "../../ui/announce.ts";
import type { Mapping } from "./mapping.ts";
import { FileUnreadable } from "./fileRow.ts";
import { NO_ROWS, type Totals, runImport } from "./importRun.ts";
import { ImportStopped } from "./batchDelivery.ts";
import type { Source } from "./source.ts";
import { summaryOf } from "./words.ts";

/** An import as the page shows it. */
export interface ImportState {
  phase: "idle" | "running" | "done" | "stopped";
  totals: Totals;
  /** Why it waits at the moment, and until when (in milliseconds since 1970). */
  waiting: { why: string; until: number } | null;
  /** Why it did not finish. */
  error: string | null;
  /** The name of the key that could not be revoked. */
  leftKey: string | null;
}

/** Whether an import went through its file and brought nothing in, now or before. */
export const isFruitless = ({ phase, totals }: ImportState): boolean =>
  phase === "done" && totals.accepted + totals.replayed === 0;

const IDLE: ImportState = { phase: "idle", totals: NO_ROWS, waiting: null, error: null, leftKey: null };
const LONGEST_NAME = 100;
const STOP_MESSAGE = "You stopped it.";

/** What one import holds; the secret of its key is nowhere else. */
interface Job {
  stopped: boolean;
  keyId: string | null;
  wake: () => void;
}

/** Run an import: a key is made for it, and revoked when it ends, fails or is left. */
export function useImport(): {
  state: ImportState;
  start: (source: Source, mapping: Mapping, environment: string) => void;
  stop: () => void;
  reset: () => void;
} {
  const [state, setState] = useState(IDLE);
  const job = useRef<Job | null>(null);
  const queryClient = useQueryClient();
  const change = (part: Partial<ImportState>) => setState((now) => ({ ...now, ...part }));

  useEffect(() => {
    const leave = () => {
      if (job.current) abandon(job.current);
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);

  const run = async (source: Source, mapping: Mapping, environment: string) => {
    const mine: Job = { stopped: false, keyId: null, wake: () => undefined };
    job.current = mine;
    setState({ ...IDLE, phase: "running" });
    const name = `Import of ${source.file.name}`.slice(0, LONGEST_NAME);
    let end: Partial<ImportState> = {};
    try {
      const { id, secret } = await createKey({ name, environment });
      mine.keyId = id;
      const totals = await runImport({
        source,
        mapping,
        send: (body, idempotencyKey, after) =>
          sendEvents(body, { secret, idempotencyKey, ...(after === undefined ? {} : { after }) }),
        waiting: { now: Date.now, pause: (ms, why) => pause(mine, ms, why, change) },
        onTotals: (totals) => change({ totals, waiting: null }),
        isStopped: () => mine.stopped,
      });
      end = mine.stopped ? { phase: "stopped", error: STOP_MESSAGE } : { phase: "done" };
      announce(summaryOf(totals));
    } catch (error) {
      const hasMessage = error instanceof ImportStopped || error instanceof FileUnreadable;
      end = { phase: "stopped", error: hasMessage ? error.message : errorInLine(error) };
    }
    const isRevoked = await revoked(mine);
    job.current = null;
    change({ ...end, waiting: null, leftKey: isRevoked ? null : name });
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keysQuery.queryKey[0] || mine.keyId !== null });
  };

  return {
    state,
    start: (source, mapping, environment) => void run(source, mapping, environment),
    stop: () => {
      if (!job.current) return;
      job.current.stopped = true;
      job.current.wake();
    },
    reset: () => setState(IDLE),
  };
}

/** Wait as long as the server asks, and wake at once when somebody stops the import. */
async function pause(job: Job, ms: number, why: string, change: (part: Partial<ImportState>) => void): Promise<void> {
  change({ waiting: { why, until: Date.now() + ms } });
  if (!job.stopped) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      job.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  if (job.stopped) throw new ImportStopped(STOP_MESSAGE);
}

async function revoked({ keyId }: Job): Promise<boolean> {
  if (keyId === null) return true;
  try {
    await revokeKey(keyId);
    return true;
  } catch {
    return false;
  }
}

/** The page is being left: nothing more is sent, and the key is revoked as far as a page can still do that. */
function abandon(job: Job): void {
  job.stopped = true;
  job.wake();
  if (job.keyId !== null) revokeKeyOnLeaving(job.keyId).catch(() => undefined);
}
