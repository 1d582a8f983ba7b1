import { expect, test } from "vitest";
import { ApiError } from "../../api/errors.ts";
import type { SendResult } from "../../api/ingest.ts";
import { type Batch, BatchNamer, BatchCutter, MAX_BATCH_ROWS } from "./batches.ts";
import { ImportStopped, settleBatch, settleBehind } from "./batchDelivery.ts";

const batchOf = (...events: string[]): Batch => {
  return { rows: events.map((event, index) => ({ line: index + 2, eventJson: event, text: event })), refusals: [], lastLine: events.length + 1, bytes: 0 };
};
const accepted: SendResult = { status: 202, isReplay: false, error: null };
const refusing = (status: number, details: ApiError["details"] = [], retryAfter: number | null = null): SendResult => {
  return { status, isReplay: false, error: new ApiError(status, { message: "No.", details }, retryAfter) };
};

/** A server that gives these answers one after the other. */
function server(...answers: (SendResult | Error)[]) {
  const asked: { body: string; key: string }[] = [];
  const pauses: number[] = [];
  let now = 0;
  return {
    asked,
    pauses,
    send: (body: string, key: string): Promise<SendResult> => {
      asked.push({ body, key });
      const answer = answers.shift() ?? accepted;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    waiting: {
      now: () => now,
      pause: (ms: number) => {
        pauses.push(ms);
        now += ms;
        return Promise.resolve();
      },
    },
  };
}

test("refused rows are named, and the rest is sent under the same key", async () => {
  const { send, waiting, asked } = server(refusing(400, [{ path: ["events", 1, "_timestamp"], message: "is too late" }]));
  const outcome = await settleBatch(batchOf("1", "2", "3"), "k", send, waiting);
  expect(outcome.refusedRows).toEqual([{ line: 3, text: "2", reason: "_timestamp: is too late" }]);
  expect(outcome.acceptedCount).toBe(2);
  expect(asked.map(({ body, key }) => [body, key])).toEqual([
    ['{"events":[1,2,3]}', "k"],
    ['{"events":[1,3]}', "k"],
  ]);
});

test("where no row is named, halves find it", async () => {
  const { send, waiting } = server(refusing(413), accepted, refusing(413));
  const outcome = await settleBatch(batchOf("1", "2"), "k", send, waiting);
  expect([outcome.acceptedCount, outcome.refusedRows.map(({ line, reason }) => [line, reason])]).toEqual([1, [[3, "No."]]]);
});

test("a busy server is asked again when it says", async () => {
  const { send, waiting, pauses } = server(refusing(503, [], 7), refusing(429, [], 2), new ApiError(0, { message: "Gone." }));
  const outcome = await settleBatch(batchOf("1"), "k", send, waiting);
  expect(outcome.acceptedCount).toBe(1);
  expect(pauses.slice(0, 2)).toEqual([7_000, 2_000]);
  expect(pauses).toHaveLength(3);
});

test("a server that is busy for too long is given up", async () => {
  const { send, waiting } = server(...Array.from({ length: 50 }, () => refusing(503, [], 60)));
  await expect(settleBatch(batchOf("1"), "k", send, waiting)).rejects.toThrow("Gave up after 300 seconds");
});

test("a refusal of the whole import ends it", async () => {
  const { send, waiting } = server(refusing(402));
  await expect(settleBatch(batchOf("1"), "k", send, waiting)).rejects.toThrow(ImportStopped);
});

test("what already counted is told apart", async () => {
  const { send, waiting } = server({ ...accepted, isReplay: true });
  expect(await settleBatch(batchOf("1", "2"), "k", send, waiting)).toMatchObject({ acceptedCount: 0, replayedCount: 2 });
});

test("a batch behind another one counts, or is sent again later", async () => {
  expect(await settleBehind(batchOf("1"), "k", "front", server(accepted).send)).toMatchObject({ acceptedCount: 1 });
  expect(await settleBehind(batchOf("1"), "k", "front", server(refusing(409)).send)).toBeNull();
  expect(await settleBehind(batchOf("1"), "k", "front", server(new ApiError(0, { message: "" })).send)).toBeNull();
});

test("batches are cut by rows and by bytes, always at the same places", () => {
  const cutter = new BatchCutter();
  const sizes: number[] = [];
  for (let line = 1; line <= MAX_BATCH_ROWS + 1; line += 1) {
    const full = cutter.add({ line, eventJson: "{}", text: "" }, line);
    if (full) sizes.push(full.rows.length);
  }
  expect([...sizes, cutter.takeRest()?.rows.length, cutter.takeRest()]).toEqual([MAX_BATCH_ROWS, 1, null]);
  const big = "x".repeat(1_500_000);
  cutter.add({ line: 1, eventJson: big, text: "" }, 1);
  expect(cutter.add({ line: 2, eventJson: big, text: "" }, 2)?.rows).toHaveLength(1);
  expect(cutter.add({ line: 3, eventJson: "é".repeat(1_200_000), text: "" }, 3)?.rows).toHaveLength(1);
  expect(cutter.takeRest()?.refusals[0]?.reason).toContain("2400000 bytes");
});

test("a batch is named by its content and all before it", () => {
  const names = (...bodies: string[]) => {
    const each = new BatchNamer();
    return bodies.map((body) => each.nextKey(body));
  };
  expect(names("a", "b")).toEqual(names("a", "b"));
  expect(names("a", "b")[1]).not.toBe(names("x", "b")[1]);
  expect(names("a", "b")[0]).toBe(names("a", "c")[0]);
  expect(new Set(names(...Array.from({ length: 500 }, () => "same"))).size).toBe(500);
  expect(names("a")[0]).toMatch(/^import-[0-9a-f]{24}-1$/);
});

test("what an earlier run refused is refused again, and not told as counted", async () => {
  const used = refusing(422);
  const faults = refusing(400, [
    { path: ["events", 1, "_timestamp"], message: "is too late" },
    { path: ["events", 3, "name"], message: "is missing" }, // of the row that is never accepted
  ]);
  const more = refusing(400, [{ path: ["events", 1, "name"], message: "is missing" }]);
  const { send, waiting, asked } = server(used, faults, more, refusing(400), { ...accepted, isReplay: true });
  const outcome = await settleBatch(batchOf("1", "2", "3"), "k", send, waiting);
  expect([outcome.acceptedCount, outcome.replayedCount, outcome.countedRows.length]).toEqual([0, 1, 1]);
  expect(outcome.refusedRows).toEqual([
    { line: 3, text: "2", reason: "_timestamp: is too late" },
    { line: 4, text: "3", reason: "name: is missing" },
  ]);
  expect(asked.map(({ body, key }) => [body, key])).toEqual([
    ['{"events":[1,2,3]}', "k"],
    ['{"events":[1,2,3,{}]}', "k-look"],
    ['{"events":[1,3,{}]}', "k-look"],
    ['{"events":[1,{}]}', "k-look"],
    ['{"events":[1]}', "k"],
  ]);
});

test("rows that would be taken today are told as already counted", async () => {
  const { send, waiting, asked } = server(refusing(422), refusing(400, [{ path: ["events", 1, "name"], message: "is missing" }]));
  expect(await settleBatch(batchOf("1"), "k", send, waiting)).toMatchObject({ acceptedCount: 0, replayedCount: 1, refusedRows: [] });
  expect(asked).toHaveLength(2);
});

test("a full batch is looked through in bodies that the server reads", async () => {
  const { send, waiting, asked } = server(refusing(422), refusing(400), refusing(400));
  await settleBatch(batchOf(...Array.from({ length: MAX_BATCH_ROWS }, () => "1")), "k", send, waiting);
  expect(asked.map(({ body }) => (JSON.parse(body) as { events: unknown[] }).events.length)).toEqual([500, 251, 251]);
});
