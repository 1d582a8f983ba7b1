import { BatchNamer, type Batch, BatchCutter, type SentRow, bodyOf, makeRow } from "./batches.ts";
import { mapperOf } from "./mapper.ts";
import type { Mapping } from "./mapping.ts";
import { hasOffset, parseMomentMs } from "./timestamps.ts";
import type { RefusedRow } from "./fileRow.ts";
import { type Outcome, type Send, type RetryClock, settleBatch, settleBehind } from "./batchDelivery.ts";
import { type Source, readRows } from "./source.ts";

/** Requests that may be under way at the same time: the browser has six connections, and the page needs some. */
const MAX_PARALLEL_REQUESTS = 3;
/** Refused rows that are kept; beyond, they are only counted. */
export const MAX_SAVED_REFUSALS = 20_000;
const LISTED_RANGE_MS = 90 * 86_400_000;

/** What became of the rows so far. */
export interface Totals {
  acceptedCount: number;
  replayedCount: number;
  refusedCount: number;
  /** The line up to which every row is settled. */
  lastLine: number;
  /** How much of the file that is, in bytes. */
  bytes: number;
  /** Accepted rows that are older than lists and charts reach. */
  olderCount: number;
  /** Accepted rows whose time has no offset from UTC. */
  withoutOffsetCount: number;
  /** The first refused rows. */
  savedRefusals: RefusedRow[];
  namelessCellCounts: ReadonlyMap<number, number>;
}

export const EMPTY_TOTALS: Totals = {
  acceptedCount: 0,
  replayedCount: 0,
  refusedCount: 0,
  lastLine: 0,
  bytes: 0,
  olderCount: 0,
  withoutOffsetCount: 0,
  savedRefusals: [],
  namelessCellCounts: new Map(),
};

export interface RunOptions {
  source: Source;
  mapping: Mapping;
  send: Send;
  retryClock: RetryClock;
  /** Called with the totals after each batch, in the order of the file. */
  onTotals: (totals: Totals) => void;
  /** Whether a person has stopped it. */
  isStopped: () => boolean;
}

interface PendingRequest {
  batch: Batch;
  idempotencyKey: string;
  outcome: Promise<Outcome>;
  isSettled: boolean;
}

/**
 * Send every row of a file. Several requests are under way at once, each named behind the one in front of it, so that
 * the rows arrive in the order of the file.
 *
 * @throws ImportStopped when continuing is useless; FileUnreadable when the file is not what it seemed.
 */
export async function runImport({ source, mapping, send, retryClock, onTotals, isStopped }: RunOptions): Promise<Totals> {
  const reader = readRows(source);
  const batchNamer = new BatchNamer();
  const queue: PendingRequest[] = [];
  let totals = EMPTY_TOTALS;
  const settleFirst = async () => {
    const firstRequest = queue[0];
    if (!firstRequest) return;
    const outcome = await firstRequest.outcome;
    queue.shift();
    totals = { ...withOutcome(totals, firstRequest.batch, outcome), namelessCellCounts: reader.namelessCellCounts() };
    onTotals(totals);
  };
  try {
    for await (const batch of batchesOf(reader.slices, mapperOf(mapping, source.isNdjson))) {
      if (isStopped()) break;
      if (queue.length >= MAX_PARALLEL_REQUESTS) await settleFirst();
      queue.push(startRequest(batch, batchNamer, queue.findLast((request) => request.batch.rows.length > 0), send, retryClock));
    }
    while (queue.length > 0) await settleFirst();
  } catch (error) {
    await drainQueue(queue, settleFirst);
    throw error;
  }
  return totals;
}

/** Count what is under way when the file cannot be read any further, up to the first request that fails. */
async function drainQueue(queue: PendingRequest[], settleFirst: () => Promise<void>): Promise<void> {
  try {
    while (queue.length > 0) await settleFirst();
  } catch {
    for (const request of queue) request.outcome.catch(() => undefined); // nobody waits for them any more
  }
}

function startRequest(batch: Batch, batchNamer: BatchNamer, previousRequest: PendingRequest | undefined, send: Send, retryClock: RetryClock): PendingRequest {
  const idempotencyKey = batch.rows.length > 0 ? batchNamer.nextKey(bodyOf(batch.rows)) : "";
  const sendInOrder = async (): Promise<Outcome> => {
    if (previousRequest && batch.rows.length > 0) {
      const outcome = previousRequest.isSettled ? null : await settleBehind(batch, idempotencyKey, previousRequest.idempotencyKey, send);
      if (outcome) return outcome;
      await previousRequest.outcome;
    }
    return settleBatch(batch, idempotencyKey, send, retryClock);
  };
  const request: PendingRequest = { batch, idempotencyKey, isSettled: false, outcome: sendInOrder() };
  request.outcome.then(() => (request.isSettled = true), () => (request.isSettled = true));
  return request;
}

async function* batchesOf(
  slices: AsyncGenerator<{ rows: Parameters<typeof makeRow>[0][]; bytes: number }>,
  toEventJson: Parameters<typeof makeRow>[1],
): AsyncGenerator<Batch> {
  const cutter = new BatchCutter();
  for await (const { rows, bytes } of slices) {
    for (const row of rows) {
      const fullBatch = cutter.add(makeRow(row, toEventJson), bytes);
      if (fullBatch) yield fullBatch;
    }
  }
  const lastBatch = cutter.takeRest();
  if (lastBatch) yield lastBatch;
}

function withOutcome(totals: Totals, batch: Batch, { acceptedCount, replayedCount, refusedRows, countedRows }: Outcome): Totals {
  const times = countedRows.map(timeOf).filter((time) => time !== null);
  const oldestListedMs = Date.now() - LISTED_RANGE_MS;
  return {
    ...totals,
    acceptedCount: totals.acceptedCount + acceptedCount,
    replayedCount: totals.replayedCount + replayedCount,
    refusedCount: totals.refusedCount + refusedRows.length,
    lastLine: batch.lastLine,
    bytes: batch.bytes,
    olderCount: totals.olderCount + times.filter((time) => (parseMomentMs(time) ?? oldestListedMs) < oldestListedMs).length,
    withoutOffsetCount: totals.withoutOffsetCount + times.filter((time) => !hasOffset(time)).length,
    savedRefusals: refusedRows.length > 0 ? [...totals.savedRefusals, ...refusedRows].slice(0, MAX_SAVED_REFUSALS) : totals.savedRefusals,
  };
}

const TIME_PATTERN = /"_timestamp"\s*:\s*"([^"\\]*)"/;

function timeOf({ eventJson }: SentRow): string | null {
  return TIME_PATTERN.exec(eventJson)?.[1] ?? null;
}
