import type { Event } from "../api/events.ts";
import { parseExact } from "../core/exactJson.ts";
import { backoff } from "./backoff.ts";
import { SseReader } from "./sse.ts";

/** The server sends a heartbeat every 15 s; a connection that is silent for longer than two of them is dead. */
const SILENCE_MS = 40_000;
/** After a longer break, a stream begins anew: reading up on hours of events would take longer than asking again. */
const RESUME_MS = 600_000;

export interface StreamListener {
  /** The stream has begun; `fresh` if it does not continue where it was. */
  onOpen: (fresh: boolean) => void;
  onEvents: (events: Event[]) => void;
  /** The connection was lost and will be made again. */
  onLost: () => void;
  /** The server will not answer this question, as long as nothing changes. */
  onRefused: () => void;
}

type Outcome = { kind: "ended" } | { kind: "failed"; waitMs: number } | { kind: "refused" };

/** A stream of events that is continued after each break, until it is stopped. */
export class Stream {
  readonly #path: string;
  readonly #listener: StreamListener;
  #lastId = "";
  #lostAt = 0;
  #running: AbortController | null = null;

  constructor(path: string, listener: StreamListener) {
    this.#path = path;
    this.#listener = listener;
  }

  start(): void {
    if (this.#running) return;
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  /** Close the connection; a later start goes on from here. */
  stop(): void {
    if (!this.#running) return;
    this.#running.abort();
    this.#running = null;
    this.#lostAt = Date.now();
  }

  async #run(stopSignal: AbortSignal): Promise<void> {
    for (let failures = 0; ; ) {
      const outcome = await this.#attempt(stopSignal);
      if (stopSignal.aborted) return;
      if (outcome.kind === "refused") {
        this.#listener.onRefused();
        return;
      }
      if (outcome.kind === "ended") this.#lostAt = Date.now();
      failures = outcome.kind === "ended" ? 1 : failures + 1;
      this.#listener.onLost();
      const minWaitMs = outcome.kind === "failed" ? outcome.waitMs : 0;
      await pause(Math.max(minWaitMs, backoff(failures, Math.random())), stopSignal);
    }
  }

  async #attempt(stopSignal: AbortSignal): Promise<Outcome> {
    if (Date.now() - this.#lostAt > RESUME_MS) this.#lastId = "";
    const silence = new AbortController();
    const signal = AbortSignal.any([stopSignal, silence.signal]);
    let isOpen = false;
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await fetch(this.#path, { headers: this.#headers(), cache: "no-store", signal });
      if (!response.ok || !response.body) return this.#refusal(response);
      isOpen = true;
      this.#listener.onOpen(this.#lastId === "");
      for await (const piece of readChunks(response.body)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        this.#take(piece);
      }
      return { kind: "ended" };
    } catch {
      return isOpen ? { kind: "ended" } : { kind: "failed", waitMs: 0 };
    } finally {
      clearTimeout(timer);
    }
  }

  #reader = new SseReader();

  #headers(): Record<string, string> {
    this.#reader = new SseReader();
    const accept = { Accept: "text/event-stream" };
    return this.#lastId === "" ? accept : { ...accept, "Last-Event-ID": this.#lastId };
  }

  #take(piece: string): void {
    const events = this.#reader.read(piece).map(({ data }) => eventOf(data)).filter((event) => event !== null);
    if (this.#reader.lastId !== "") this.#lastId = this.#reader.lastId;
    if (events.length > 0) this.#listener.onEvents(events);
  }

  #refusal({ status, headers }: Response): Outcome {
    if (status === 400 && this.#lastId !== "") {
      // The server no longer knows where the stream was.
      this.#lastId = "";
      return { kind: "failed", waitMs: 0 };
    }
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return { kind: "refused" };
    return { kind: "failed", waitMs: Number(headers.get("retry-after") ?? 0) * 1_000 || 0 };
  }
}

async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

function eventOf(data: string): Event | null {
  const value = parseExact(data);
  return typeof value === "object" && value !== null && "id" in value ? (value as Event) : null;
}

function pause(ms: number, stopSignal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopSignal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
