import { ApiError } from "../../api/errors.ts";
import type { SendResult } from "../../api/ingest.ts";
import { type Batch, type SentRow, bodyOf } from "./batches.ts";
import type { RefusedRow } from "./fileRow.ts";

/** Sends one body under an idempotency key; `afterKey` names the request that has to arrive before. */
export type Send = (body: string, idempotencyKey: string, afterKey?: string) => Promise<SendResult>;

/** How long a body is tried again without success, in milliseconds. */
const MAX_RETRY_MS = 300_000;
const MAX_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const RETRY_STATUSES = new Set([0, 409, 429, 500, 502, 503, 504]);
const BAD_ROW_STATUSES = new Set([400, 413]);
const KEY_USED_STATUS = 422;
/** Rows of a body that is sent only to be refused: with the one that is no event, fewer than a body may have. */
const PROBE_ROWS = 250;
const INVALID_ROW: SentRow = { line: 0, eventJson: "{}", text: "" };

/** What became of the rows of a batch. */
export interface Outcome {
  acceptedCount: number;
  /** Rows that an earlier run, or a request whose answer was lost, had made count. */
  replayedCount: number;
  refusedRows: RefusedRow[];
  countedRows: SentRow[];
}

/** Waits; the page says why, and for how long. */
export interface RetryClock {
  now: () => number;
  /** Wait, unless the import is stopped meanwhile. */
  pause: (ms: number, reason: string) => Promise<void>;
}

/** What is thrown when continuing is useless, with the reason. */
export class ImportStopped extends Error {}

/** Send a batch until the server has counted or refused each of its rows. */
export async function settleBatch(batch: Batch, idempotencyKey: string, send: Send, retryClock: RetryClock): Promise<Outcome> {
  const outcome: Outcome = { acceptedCount: 0, replayedCount: 0, refusedRows: [...batch.refusals], countedRows: [] };
  await settleRows(batch.rows, idempotencyKey, outcome, send, retryClock);
  outcome.refusedRows.sort((left, right) => left.line - right.line);
  return outcome;
}

async function settleRows(allRows: SentRow[], idempotencyKey: string, outcome: Outcome, send: Send, retryClock: RetryClock): Promise<void> {
  let rows = allRows;
  while (rows.length > 0) {
    const reply = await sendUntilSettled(bodyOf(rows), idempotencyKey, send, retryClock);
    if (reply.status === 202) {
      countRows(outcome, rows, reply.isReplay);
      return;
    }
    if (reply.status === KEY_USED_STATUS) {
      await reconcileSentRows(rows, idempotencyKey, outcome, send, retryClock);
      return;
    }
    const reasonByIndex = refusalReasons(reply.error, rows);
    if (reasonByIndex.size === 0) {
      const middle = Math.floor(rows.length / 2);
      await settleRows(rows.slice(0, middle), `${idempotencyKey}-a`, outcome, send, retryClock);
      await settleRows(rows.slice(middle), `${idempotencyKey}-b`, outcome, send, retryClock);
      return;
    }
    rows = removeRefused(rows, reasonByIndex, outcome);
  }
}

/** An earlier run sent this batch without the rows that were refused; where it still is so, they are the same today. */
async function reconcileSentRows(
  rows: SentRow[],
  idempotencyKey: string,
  outcome: Outcome,
  send: Send,
  retryClock: RetryClock,
): Promise<void> {
  const reasonByIndex = await findRefusals(rows, idempotencyKey, send, retryClock);
  const remainingRows = rows.filter((_, index) => !reasonByIndex.has(index));
  const reply = reasonByIndex.size > 0 && remainingRows.length > 0
    ? await sendUntilSettled(bodyOf(remainingRows), idempotencyKey, send, retryClock)
    : null;
  if (reply?.status === 202) countRows(outcome, removeRefused(rows, reasonByIndex, outcome), reply.isReplay);
  else countRows(outcome, rows, true);
}

/** Ask the server which rows it refuses, in bodies that it never accepts. */
async function findRefusals(rows: SentRow[], idempotencyKey: string, send: Send, retryClock: RetryClock): Promise<Map<number, string>> {
  const reasonByIndex = new Map<number, string>();
  for (let start = 0; start < rows.length; start += PROBE_ROWS) {
    let candidates = rows.slice(start, start + PROBE_ROWS).map((row, index) => ({ row, rowIndex: start + index }));
    for (let newReasonCount = -1; newReasonCount !== 0; ) {
      const bodyRows = candidates.map(({ row }) => row);
      const { error } = await sendUntilSettled(bodyOf([...bodyRows, INVALID_ROW]), `${idempotencyKey}-look`, send, retryClock);
      const newReasonByIndex = namedReasons(error, bodyRows); // an answer names the first few
      candidates.forEach(({ rowIndex }, bodyIndex) => {
        const reason = newReasonByIndex.get(bodyIndex);
        if (reason !== undefined) reasonByIndex.set(rowIndex, reason);
      });
      candidates = candidates.filter((_, bodyIndex) => !newReasonByIndex.has(bodyIndex));
      newReasonCount = newReasonByIndex.size;
    }
  }
  return reasonByIndex;
}

function removeRefused(rows: SentRow[], reasonByIndex: ReadonlyMap<number, string>, outcome: Outcome): SentRow[] {
  rows.forEach(({ line, text }, index) => {
    const reason = reasonByIndex.get(index);
    if (reason !== undefined) outcome.refusedRows.push({ line, text, reason });
  });
  return rows.filter((_, index) => !reasonByIndex.has(index));
}

/** Count a batch that was sent while the one in front of it was under way; null when it has to be sent again. */
export async function settleBehind(batch: Batch, idempotencyKey: string, afterKey: string, send: Send): Promise<Outcome | null> {
  try {
    const { status, isReplay } = await send(bodyOf(batch.rows), idempotencyKey, afterKey);
    if (status !== 202) return null;
    const outcome: Outcome = { acceptedCount: 0, replayedCount: 0, refusedRows: [...batch.refusals], countedRows: [] };
    countRows(outcome, batch.rows, isReplay);
    return outcome;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function countRows(outcome: Outcome, rows: SentRow[], isReplay: boolean): void {
  if (isReplay) outcome.replayedCount += rows.length;
  else outcome.acceptedCount += rows.length;
  outcome.countedRows.push(...rows);
}

/** Send a body until the answer settles it. */
async function sendUntilSettled(body: string, idempotencyKey: string, send: Send, retryClock: RetryClock): Promise<SendResult> {
  let retryingSinceMs = retryClock.now();
  for (let attempt = 0; ; attempt += 1) {
    const reply = await trySend(body, idempotencyKey, send);
    const { status, error } = reply;
    if (status === 202 || status === KEY_USED_STATUS || BAD_ROW_STATUSES.has(status)) return reply;
    const message = error?.message ?? `The server answered ${status}.`;
    if (!RETRY_STATUSES.has(status)) throw new ImportStopped(message);
    const retryAfter = error?.retryAfterSeconds ?? null;
    const pauseMs = retryAfter === null ? Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)) : retryAfter * 1000;
    if (status === 429) retryingSinceMs = retryClock.now();
    else if (retryClock.now() - retryingSinceMs + (retryAfter === null ? 0 : pauseMs) >= MAX_RETRY_MS) {
      throw new ImportStopped(`${message} Gave up after ${MAX_RETRY_MS / 1000} seconds.`);
    }
    await retryClock.pause(pauseMs, message);
  }
}

async function trySend(body: string, idempotencyKey: string, send: Send): Promise<SendResult> {
  try {
    return await send(body, idempotencyKey);
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) return { status: 0, isReplay: false, error };
    throw error;
  }
}

/** Return why rows were refused, by their place in the body; none when the answer names none of several rows. */
function refusalReasons(error: ApiError | null, rows: SentRow[]): Map<number, string> {
  const reasonByIndex = namedReasons(error, rows);
  if (reasonByIndex.size === 0 && rows.length === 1) reasonByIndex.set(0, error?.message ?? "refused");
  return reasonByIndex;
}

/** Return the reasons that the answer names, by the place of their row in the body. */
function namedReasons(error: ApiError | null, rows: SentRow[]): Map<number, string> {
  const reasonByIndex = new Map<number, string>();
  for (const { path, message } of error?.details ?? []) {
    const [array, rowIndex, ...field] = path;
    if (array !== "events" || typeof rowIndex !== "number" || rowIndex >= rows.length) continue;
    const reason = field.length > 0 ? `${pathInWords(field)}: ${message}` : message;
    reasonByIndex.set(rowIndex, [reasonByIndex.get(rowIndex), reason].filter(Boolean).join("; "));
  }
  return reasonByIndex;
}

/** Write a path as `properties.plan` or `tags[2]`. */
function pathInWords(path: readonly (string | number)[]): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`)).join("");
}
