import { BatchNames, type Batch, Cutter, type SentRow, bodyOf, madeRow } from "./batches.ts";
import { mapperOf } from "./mapper.ts";
import type { Mapping } from "./mapping.ts";
import { hasOffset, parseMoment } from "./moment.ts";
import type { RefusedRow } from "./row.ts";
import { type Outcome, type Send, type Waiting, settle, settleBehind } from "./settle.ts";
import { type Source, readRows } from "./source.ts";

/** Requests that may be under way at the same time: the browser has six connections, and the page needs some. */
const AT_ONCE = 3;
/** Refused rows that are kept; beyond, they are only counted. */
export const MOST_KEPT = 20_000;
const REACH_MS = 90 * 86_400_000;

/** What became of the rows so far. */
export interface Totals {
  accepted: number;
  replayed: number;
  refused: number;
  /** The line up to which every row is settled. */
  through: number;
  /** How much of the file that is, in bytes. */
  bytes: number;
  /** Accepted rows that are older than lists and charts reach. */
  older: number;
  /** Accepted rows whose time has no offset from UTC. */
  withoutOffset: number;
  /** The first refused rows. */
  kept: RefusedRow[];
  nameless: ReadonlyMap<number, number>;
}

export const NO_ROWS: Totals = {
  accepted: 0,
  replayed: 0,
  refused: 0,
  through: 0,
  bytes: 0,
  older: 0,
  withoutOffset: 0,
  kept: [],
  nameless: new Map(),
};

export interface RunOptions {
  source: Source;
  mapping: Mapping;
  send: Send;
  waiting: Waiting;
  /** Called with the totals after each batch, in the order of the file. */
  follow: (totals: Totals) => void;
  /** Whether a person has stopped it. */
  isStopped: () => boolean;
}

interface UnderWay {
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
export async function runImport({ source, mapping, send, waiting, follow, isStopped }: RunOptions): Promise<Totals> {
  const reader = readRows(source);
  const names = new BatchNames();
  const queue: UnderWay[] = [];
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
      if (queue.length >= AT_ONCE) await take();
      queue.push(begun(batch, names, queue.findLast((request) => request.batch.rows.length > 0), send, waiting));
    }
    while (queue.length > 0) await take();
  } catch (error) {
    await counted(queue, take);
    throw error;
  }
  return totals;
}

/** Count what is under way when the file cannot be read any further, up to the first request that fails. */
async function counted(queue: UnderWay[], take: () => Promise<void>): Promise<void> {
  try {
    while (queue.length > 0) await take();
  } catch {
    for (const request of queue) request.done.catch(() => undefined); // nobody waits for them any more
  }
}

function begun(batch: Batch, names: BatchNames, front: UnderWay | undefined, send: Send, waiting: Waiting): UnderWay {
  const key = batch.rows.length > 0 ? names.next(bodyOf(batch.rows)) : "";
  const inOrder = async (): Promise<Outcome> => {
    if (front && batch.rows.length > 0) {
      const outcome = front.settled ? null : await settleBehind(batch, key, front.key, send);
      if (outcome) return outcome;
      await front.done;
    }
    return settle(batch, key, send, waiting);
  };
  const entry: UnderWay = { batch, key, settled: false, done: inOrder() };
  entry.done.then(
    () => (entry.settled = true),
    () => (entry.settled = true),
  );
  return entry;
}

async function* batchesOf(
  slices: AsyncGenerator<{ rows: Parameters<typeof madeRow>[0][]; bytes: number }>,
  map: Parameters<typeof madeRow>[1],
): AsyncGenerator<Batch> {
  const cutter = new Cutter();
  for await (const { rows, bytes } of slices) {
    for (const row of rows) {
      const full = cutter.add(madeRow(row, map), bytes);
      if (full) yield full;
    }
  }
  const rest = cutter.rest();
  if (rest) yield rest;
}

function withOutcome(totals: Totals, batch: Batch, { accepted, replayed, refused, counted }: Outcome): Totals {
  const times = counted.map(timeOf).filter((time) => time !== null);
  const edge = Date.now() - REACH_MS;
  return {
    ...totals,
    accepted: totals.accepted + accepted,
    replayed: totals.replayed + replayed,
    refused: totals.refused + refused.length,
    through: batch.last,
    bytes: batch.bytes,
    older: totals.older + times.filter((time) => (parseMoment(time) ?? edge) < edge).length,
    withoutOffset: totals.withoutOffset + times.filter((time) => !hasOffset(time)).length,
    kept: refused.length > 0 ? [...totals.kept, ...refused].slice(0, MOST_KEPT) : totals.kept,
  };
}

const TIME = /"_timestamp"\s*:\s*"([^"\\]*)"/;

function timeOf({ event }: SentRow): string | null {
  return TIME.exec(event)?.[1] ?? null;
}
