import { ApiError } from "../../api/errors.ts";
import type { Sent } from "../../api/ingest.ts";
import { type Batch, type SentRow, bodyOf } from "./batches.ts";
import type { RefusedRow } from "./fileRow.ts";

/** Sends one body under an idempotency key; `after` names the request that has to arrive before. */
export type Send = (body: string, key: string, after?: string) => Promise<Sent>;

/** How long a body is tried again without success, in milliseconds. */
const MAX_RETRY_MS = 300_000;
const MAX_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const RETRY_STATUSES = new Set([0, 409, 429, 500, 502, 503, 504]);
const BAD_ROWS = new Set([400, 413]);
const KEY_USED = 422;
/** Rows of a body that is sent only to be refused: with the one that is no event, fewer than a body may have. */
const PROBE_ROWS = 250;
const INVALID_ROW: SentRow = { line: 0, event: "{}", text: "" };

/** What became of the rows of a batch. */
export interface Outcome {
  accepted: number;
  /** Rows that an earlier run, or a request whose answer was lost, had made count. */
  replayed: number;
  refused: RefusedRow[];
  countedRows: SentRow[];
}

/** Waits; the page says why, and for how long. */
export interface RetryClock {
  now: () => number;
  /** Wait, unless the import is stopped meanwhile. */
  pause: (ms: number, why: string) => Promise<void>;
}

/** What is thrown when continuing is useless, with the reason. */
export class ImportStopped extends Error {}

/** Send a batch until the server has counted or refused each of its rows. */
export async function settle(batch: Batch, key: string, send: Send, waiting: RetryClock): Promise<Outcome> {
  const outcome: Outcome = { accepted: 0, replayed: 0, refused: [...batch.refusals], countedRows: [] };
  await settleRows(batch.rows, key, outcome, send, waiting);
  outcome.refused.sort((one, other) => one.line - other.line);
  return outcome;
}

async function settleRows(allRows: SentRow[], key: string, outcome: Outcome, send: Send, waiting: RetryClock): Promise<void> {
  let rows = allRows;
  while (rows.length > 0) {
    const reply = await sendUntilSettled(bodyOf(rows), key, send, waiting);
    if (reply.status === 202) {
      countRows(outcome, rows, reply.isReplay);
      return;
    }
    if (reply.status === KEY_USED) {
      await reconcileSentRows(rows, key, outcome, send, waiting);
      return;
    }
    const faults = faultsOf(reply.error, rows);
    if (faults.size === 0) {
      const half = Math.floor(rows.length / 2);
      await settleRows(rows.slice(0, half), `${key}-a`, outcome, send, waiting);
      await settleRows(rows.slice(half), `${key}-b`, outcome, send, waiting);
      return;
    }
    rows = removeRefused(rows, faults, outcome);
  }
}

/** An earlier run sent this batch without the rows that were refused; where it still is so, they are the same today. */
async function reconcileSentRows(rows: SentRow[], key: string, outcome: Outcome, send: Send, waiting: RetryClock): Promise<void> {
  const faults = await findRefusals(rows, key, send, waiting);
  const rest = rows.filter((_, index) => !faults.has(index));
  const reply = faults.size > 0 && rest.length > 0 ? await sendUntilSettled(bodyOf(rest), key, send, waiting) : null;
  if (reply?.status === 202) countRows(outcome, removeRefused(rows, faults, outcome), reply.isReplay);
  else countRows(outcome, rows, true);
}

/** Ask the server which rows it refuses, in bodies that it never accepts. */
async function findRefusals(rows: SentRow[], key: string, send: Send, waiting: RetryClock): Promise<Map<number, string>> {
  const faults = new Map<number, string>();
  for (let start = 0; start < rows.length; start += PROBE_ROWS) {
    let candidates = rows.slice(start, start + PROBE_ROWS).map((row, index) => ({ row, at: start + index }));
    for (let namedCount = -1; namedCount !== 0; ) {
      const bodyRows = candidates.map(({ row }) => row);
      const { error } = await sendUntilSettled(bodyOf([...bodyRows, INVALID_ROW]), `${key}-look`, send, waiting);
      const reasons = reasonsByRow(error, bodyRows); // an answer names the first few
      candidates.forEach(({ at }, place) => {
        const reason = reasons.get(place);
        if (reason !== undefined) faults.set(at, reason);
      });
      candidates = candidates.filter((_, place) => !reasons.has(place));
      namedCount = reasons.size;
    }
  }
  return faults;
}

function removeRefused(rows: SentRow[], faults: ReadonlyMap<number, string>, outcome: Outcome): SentRow[] {
  rows.forEach(({ line, text }, index) => {
    const reason = faults.get(index);
    if (reason !== undefined) outcome.refused.push({ line, text, reason });
  });
  return rows.filter((_, index) => !faults.has(index));
}

/** Count a batch that was sent while the one in front of it was under way; null when it has to be sent again. */
export async function settleBehind(batch: Batch, key: string, after: string, send: Send): Promise<Outcome | null> {
  try {
    const { status, isReplay } = await send(bodyOf(batch.rows), key, after);
    if (status !== 202) return null;
    const outcome: Outcome = { accepted: 0, replayed: 0, refused: [...batch.refusals], countedRows: [] };
    countRows(outcome, batch.rows, isReplay);
    return outcome;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function countRows(outcome: Outcome, rows: SentRow[], isReplay: boolean): void {
  if (isReplay) outcome.replayed += rows.length;
  else outcome.accepted += rows.length;
  outcome.countedRows.push(...rows);
}

/** Send a body until the answer settles it. */
async function sendUntilSettled(body: string, key: string, send: Send, waiting: RetryClock): Promise<Sent> {
  let since = waiting.now();
  for (let attempt = 0; ; attempt += 1) {
    const reply = await trySend(body, key, send);
    const { status, error } = reply;
    if (status === 202 || status === KEY_USED || BAD_ROWS.has(status)) return reply;
    const message = error?.message ?? `The server answered ${status}.`;
    if (!RETRY_STATUSES.has(status)) throw new ImportStopped(message);
    const retryAfter = error?.retryAfter ?? null;
    const pause = retryAfter === null ? Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)) : retryAfter * 1000;
    if (status === 429) since = waiting.now();
    else if (waiting.now() - since + (retryAfter === null ? 0 : pause) >= MAX_RETRY_MS) {
      throw new ImportStopped(`${message} Gave up after ${MAX_RETRY_MS / 1000} seconds.`);
    }
    await waiting.pause(pause, message);
  }
}

async function trySend(body: string, key: string, send: Send): Promise<Sent> {
  try {
    return await send(body, key);
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) return { status: 0, isReplay: false, error };
    throw error;
  }
}

/** Return why rows were refused, by their place in the body; none when the answer names none of several rows. */
function faultsOf(error: ApiError | null, rows: SentRow[]): Map<number, string> {
  const faults = reasonsByRow(error, rows);
  if (faults.size === 0 && rows.length === 1) faults.set(0, error?.message ?? "refused");
  return faults;
}

/** Return the reasons that the answer names, by the place of their row in the body. */
function reasonsByRow(error: ApiError | null, rows: SentRow[]): Map<number, string> {
  const faults = new Map<number, string>();
  for (const { path, message } of error?.details ?? []) {
    const [array, at, ...field] = path;
    if (array !== "events" || typeof at !== "number" || at >= rows.length) continue;
    const reason = field.length > 0 ? `${formatPath(field)}: ${message}` : message;
    faults.set(at, [faults.get(at), reason].filter(Boolean).join("; "));
  }
  return faults;
}

/** Write a path as `properties.plan` or `tags[2]`. */
function formatPath(path: readonly (string | number)[]): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`)).join("");
}
