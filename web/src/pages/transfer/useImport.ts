import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { sendEvents } from "../../api/ingest.ts";
import { createKey, keysQuery, revokeKey, revokeKeyOnLeaving } from "../../api/keys.ts";
import { errorInLine } from "../../api/words.ts";
import { announce } from "../../ui/announce.ts";
import type { Mapping } from "./mapping.ts";
import { FileUnreadable } from "./fileRow.ts";
import { EMPTY_TOTALS, type Totals, runImport } from "./importRun.ts";
import { ImportStopped } from "./batchDelivery.ts";
import type { Source } from "./source.ts";
import { summaryOf } from "./words.ts";

/** An import as the page shows it. */
export interface ImportState {
  phase: "idle" | "running" | "done" | "stopped";
  totals: Totals;
  /** Why it waits at the moment, and until when (in milliseconds since 1970). */
  wait: { reason: string; untilMs: number } | null;
  /** Why it did not finish. */
  error: string | null;
  /** The name of the key that could not be revoked. */
  unrevokedKeyName: string | null;
}

/** Whether an import went through its file and brought nothing in, now or before. */
export const isFruitless = ({ phase, totals }: ImportState): boolean =>
  phase === "done" && totals.acceptedCount + totals.replayedCount === 0;

const IDLE_STATE: ImportState = { phase: "idle", totals: EMPTY_TOTALS, wait: null, error: null, unrevokedKeyName: null };
const MAX_NAME_LENGTH = 100;
const STOP_MESSAGE = "You stopped it.";

/** What one import holds; the secret of its key is nowhere else. */
interface Job {
  isStopped: boolean;
  keyId: string | null;
  wake: () => void;
}

/** Run an import: a key is made for it, and revoked when it ends, fails or is left. */
export function useImport() {
  const [state, setState] = useState(IDLE_STATE);
  const jobRef = useRef<Job | null>(null);
  const queryClient = useQueryClient();
  const changeState = (part: Partial<ImportState>) => setState((previous) => ({ ...previous, ...part }));

  useEffect(() => {
    const abandonJob = () => {
      if (jobRef.current) abandon(jobRef.current);
    };
    window.addEventListener("pagehide", abandonJob);
    return () => {
      window.removeEventListener("pagehide", abandonJob);
      abandonJob();
    };
  }, []);

  const run = async (source: Source, mapping: Mapping, environment: string) => {
    const job: Job = { isStopped: false, keyId: null, wake: () => undefined };
    jobRef.current = job;
    setState({ ...IDLE_STATE, phase: "running" });
    const name = `Import of ${source.file.name}`.slice(0, MAX_NAME_LENGTH);
    let endState: Partial<ImportState> = {};
    try {
      const { id, secret } = await createKey({ name, environment, kind: "ingest" });
      job.keyId = id;
      const totals = await runImport({
        source,
        mapping,
        send: (body, idempotencyKey, afterKey) =>
          sendEvents(body, { secret, idempotencyKey, ...(afterKey === undefined ? {} : { previousKey: afterKey }) }),
        retryClock: { now: Date.now, pause: (ms, reason) => pause(job, ms, reason, changeState) },
        onTotals: (totals) => changeState({ totals, wait: null }),
        isStopped: () => job.isStopped,
      });
      endState = job.isStopped ? { phase: "stopped", error: STOP_MESSAGE } : { phase: "done" };
      announce(summaryOf(totals));
    } catch (error) {
      const hasMessage = error instanceof ImportStopped || error instanceof FileUnreadable;
      endState = { phase: "stopped", error: hasMessage ? error.message : errorInLine(error) };
    }
    const isRevoked = await tryRevoke(job);
    jobRef.current = null;
    changeState({ ...endState, wait: null, unrevokedKeyName: isRevoked ? null : name });
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keysQuery.queryKey[0] || job.keyId !== null });
  };

  return {
    state,
    start: (source: Source, mapping: Mapping, environment: string) => void run(source, mapping, environment),
    stop: () => {
      if (!jobRef.current) return;
      jobRef.current.isStopped = true;
      jobRef.current.wake();
    },
    reset: () => setState(IDLE_STATE),
  };
}

/** Wait as long as the server asks, and wake at once when somebody stops the import. */
async function pause(job: Job, ms: number, reason: string, changeState: (part: Partial<ImportState>) => void): Promise<void> {
  changeState({ wait: { reason, untilMs: Date.now() + ms } });
  if (!job.isStopped) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      job.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  if (job.isStopped) throw new ImportStopped(STOP_MESSAGE);
}

async function tryRevoke({ keyId }: Job): Promise<boolean> {
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
  job.isStopped = true;
  job.wake();
  if (job.keyId !== null) revokeKeyOnLeaving(job.keyId).catch(() => undefined);
}
