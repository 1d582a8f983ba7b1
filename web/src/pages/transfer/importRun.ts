import { BatchNamer, type Batch, BatchCutter, type SentRow, bodyOf, makeRow } from "./batches.ts";
import { mapperOf } from "./mapper.ts";
import type { Mapping } from "./mapping.ts";
import { hasOffset, parseMoment } from "./timestamps.ts";
import type { RefusedRow } from "./fileRow.ts";
import { type Outcome, type Send, type RetryClock, settle, settleBehind } from "./batchDelivery.ts";
import { type Source, readRows } from "./source.ts";

/** Requests that may be under way at the same time: the browser has six connections, and the page needs some. */
const MAX_PARALLEL_REQUESTS = 3;
/** Refused rows that are kept; beyond, they are only counted. */
export const MAX_SAVED_REFUSALS = 20_000;
const LISTED_RANGE_MS = 90 * 86_400_000;

/** What became of the rows so far. */
export interface Totals {
  accepted: number;
  replayed: number;
  refused: number;
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
  nameless: ReadonlyMap<number, number>;
}

export const NO_ROWS: Totals = {
  accepted: 0,
  replayed: 0,
  refused: 0,
  lastLine: 0,
  bytes: 0,
  olderCount: 0,
  withoutOffsetCount: 0,
  savedRefusals: [],
  nameless: new Map(),
};

export interface RunOptions {
  source: Source;
  mapping: Mapping;
  send: Send;
  waiting: RetryClock;
  /** Called with the totals after each batch, in the order of the file. */
  onTotals: (totals: Totals) => void;
  /** Whether a person has stopped it. */
  isStopped: () => boolean;
}

interface PendingRequest {
  batch: Batch;
  key: string;
  done: Promise<Outcome>;
  settled: boolean;
}

/**
 * Send every row of a file. Several requests are under way at once, each named behind the one in front of it, so that
 * the rows arrive in the order of the file.
 *
 * @throws ImportStopped when continuing is useless; FileUnreadable when the file is not what it seemed.
 */
export async function runImport({ source, mapping, send, waiting, onTotals: follow, isStopped }: RunOptions): Promise<Totals> {
  const reader = readRows(source);
  const names = new BatchNamer();
  const queue: PendingRequest[] = [];
  let totals = NO_ROWS;
  const take = async () => {
    const first = queue[0];
    if (!first) return;
    const outcome = await first.done;
    queue.shift();
    totals = { ...withOutcome(totals, first.batch, outcome), nameless: reader.nameless() };
    follow(totals);
  };
  try {
    for await (const batch of batchesOf(reader.slices, mapperOf(mapping, source.isNdjson))) {
      if (isStopped()) break;
      if (queue.length >= MAX_PARALLEL_REQUESTS) await take();
      queue.push(startRequest(batch, names, queue.findLast((request) => request.batch.rows.length > 0), send, waiting));
    }
    while (queue.length > 0) await take();
  } catch (error) {
    await drainQueue(queue, take);
    throw error;
  }
  return totals;
}

/** Count what is under way when the file cannot be read any further, up to the first request that fails. */
async function drainQueue(queue: PendingRequest[], take: () => Promise<void>): Promise<void> {
  try {
    while (queue.length > 0) await take();
  } catch {
    for (const request of queue) request.done.catch(() => undefined); // nobody waits for them any more
  }
}

function startRequest(batch: Batch, names: BatchNamer, previousRequest: PendingRequest | undefined, send: Send, waiting: RetryClock): PendingRequest {
  const key = batch.rows.length > 0 ? names.next(bodyOf(batch.rows)) : "";
  const inOrder = async (): Promise<Outcome> => {
    if (previousRequest && batch.rows.length > 0) {
      const outcome = previousRequest.settled ? null : await settleBehind(batch, key, previousRequest.key, send);
      if (outcome) return outcome;
      await previousRequest.done;
    }
    return settle(batch, key, send, waiting);
  };
  const entry: PendingRequest = { batch, key, settled: false, done: inOrder() };
  entry.done.then(
    () => (entry.settled = true),
    () => (entry.settled = true),
  );
  return entry;
}

async function* batchesOf(
  slices: AsyncGenerator<{ rows: Parameters<typeof makeRow>[0][]; bytes: number }>,
  map: Parameters<typeof makeRow>[1],
): AsyncGenerator<Batch> {
  const cutter = new BatchCutter();
  for await (const { rows, bytes } of slices) {
    for (const row of rows) {
      const full = cutter.add(makeRow(row, map), bytes);
      if (full) yield full;
    }
  }
  const rest = cutter.rest();
  if (rest) yield rest;
}

function withOutcome(totals: Totals, batch: Batch, { accepted, replayed, refused, countedRows: counted }: Outcome): Totals {
  const times = counted.map(timeOf).filter((time) => time !== null);
  const edge = Date.now() - LISTED_RANGE_MS;
  return {
    ...totals,
    accepted: totals.accepted + accepted,
    replayed: totals.replayed + replayed,
    refused: totals.refused + refused.length,
    lastLine: batch.lastLine,
    bytes: batch.bytes,
    olderCount: totals.olderCount + times.filter((time) => (parseMoment(time) ?? edge) < edge).length,
    withoutOffsetCount: totals.withoutOffsetCount + times.filter((time) => !hasOffset(time)).length,
    savedRefusals: refused.length > 0 ? [...totals.savedRefusals, ...refused].slice(0, MAX_SAVED_REFUSALS) : totals.savedRefusals,
  };
}

const TIME = /"_timestamp"\s*:\s*"([^"\\]*)"/;

function timeOf({ event }: SentRow): string | null {
  return TIME.exec(event)?.[1] ?? null;
}
