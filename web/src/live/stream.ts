import type { Event } from "../api/events.ts";
import { parseExact } from "../core/exactJson.ts";
import { backoffMs } from "./backoff.ts";
import { SseReader } from "./sse.ts";

/** The server sends a heartbeat every 15 s; a connection that is silent for longer than two of them is dead. */
const SILENCE_MS = 40_000;
/** After a longer break, a stream begins anew: reading up on hours of events would take longer than asking again. */
const RESUME_MS = 600_000;

export interface StreamListener {
  /** The stream has begun; `isFresh` if it does not continue where it was. */
  onOpen: (isFresh: boolean) => void;
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
  #lostAtMs = 0;
  #abortController: AbortController | null = null;

  constructor(path: string, listener: StreamListener) {
    this.#path = path;
    this.#listener = listener;
  }

  start(): void {
    if (this.#abortController) return;
    this.#abortController = new AbortController();
    void this.#run(this.#abortController.signal);
  }

  /** Close the connection; a later start goes on from here. */
  stop(): void {
    if (!this.#abortController) return;
    this.#abortController.abort();
    this.#abortController = null;
    this.#lostAtMs = Date.now();
  }

  async #run(stopSignal: AbortSignal): Promise<void> {
    for (let failureCount = 0; ; ) {
      const outcome = await this.#connectOnce(stopSignal);
      if (stopSignal.aborted) return;
      if (outcome.kind === "refused") {
        this.#listener.onRefused();
        return;
      }
      if (outcome.kind === "ended") this.#lostAtMs = Date.now();
      failureCount = outcome.kind === "ended" ? 1 : failureCount + 1;
      this.#listener.onLost();
      const minWaitMs = outcome.kind === "failed" ? outcome.waitMs : 0;
      await pause(Math.max(minWaitMs, backoffMs(failureCount, Math.random())), stopSignal);
    }
  }

  async #connectOnce(stopSignal: AbortSignal): Promise<Outcome> {
    if (Date.now() - this.#lostAtMs > RESUME_MS) this.#lastId = "";
    const silenceAbort = new AbortController();
    const signal = AbortSignal.any([stopSignal, silenceAbort.signal]);
    let isOpen = false;
    let timer = setTimeout(() => silenceAbort.abort(), SILENCE_MS);
    try {
      const response = await fetch(this.#path, { headers: this.#headers(), cache: "no-store", signal });
      if (!response.ok || !response.body) return this.#outcomeOfRefusal(response);
      isOpen = true;
      this.#listener.onOpen(this.#lastId === "");
      for await (const chunk of readChunks(response.body)) {
        clearTimeout(timer);
        timer = setTimeout(() => silenceAbort.abort(), SILENCE_MS);
        this.#receive(chunk);
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
    const acceptHeader = { Accept: "text/event-stream" };
    return this.#lastId === "" ? acceptHeader : { ...acceptHeader, "Last-Event-ID": this.#lastId };
  }

  #receive(chunk: string): void {
    const events = this.#reader.read(chunk).map(({ data }) => eventOf(data)).filter((event) => event !== null);
    if (this.#reader.lastId !== "") this.#lastId = this.#reader.lastId;
    if (events.length > 0) this.#listener.onEvents(events);
  }

  #outcomeOfRefusal({ status, headers }: Response): Outcome {
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
