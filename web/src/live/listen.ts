import { workerAddress } from "./address.ts";
import type { FromTab, FromWorker, LiveListener } from "./messages.ts";
import { poll } from "./poll.ts";
import type { LiveQuestion } from "./liveQuestion.ts";

/** A worker that says nothing for so long does not run here. */
const WELCOME_MS = 10_000;
/** How often a tab says that it is there. */
const HERE_MS = 20_000;

interface Entry {
  question: LiveQuestion;
  listener: LiveListener;
  /** Ends the polling that stands in for the worker. */
  stopPolling?: () => void;
}

/** This tab's connection to the worker; where there is none, each question is polled. */
class WorkerConnection {
  readonly #entryById = new Map<number, Entry>();
  #port: MessagePort | null;
  #nextId = 1;

  constructor() {
    this.#port = this.#openPort();
  }

  listen(question: LiveQuestion, listener: LiveListener): () => void {
    const id = this.#nextId;
    this.#nextId += 1;
    const entry: Entry = { question, listener };
    this.#entryById.set(id, entry);
    if (this.#port) this.#send({ type: "ask", id, question });
    else entry.stopPolling = poll(question, listener);
    return () => {
      this.#entryById.delete(id);
      if (entry.stopPolling) entry.stopPolling();
      else this.#send({ type: "drop", id });
    };
  }

  #openPort(): MessagePort | null {
    if (!("SharedWorker" in globalThis)) return null;
    try {
      const worker = new SharedWorker(workerAddress(), { type: "module", name: "tallyroom live" });
      worker.addEventListener("error", () => this.#fallBackToPolling());
      this.#followPort(worker.port);
      return worker.port;
    } catch {
      return null;
    }
  }

  #followPort(port: MessagePort): void {
    const timer = setTimeout(() => this.#fallBackToPolling(), WELCOME_MS);
    port.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      clearTimeout(timer);
      this.#handleMessage(data);
    });
    port.start();
    setInterval(() => this.#send({ type: "here" }), HERE_MS);
    const reportVisibility = () => this.#send({ type: "turn", hidden: document.hidden });
    port.postMessage({ type: "turn", hidden: document.hidden } satisfies FromTab);
    document.addEventListener("visibilitychange", reportVisibility);
    addEventListener("pagehide", () => this.#send({ type: "leave" }));
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      reportVisibility();
      for (const [id, { question }] of this.#entryById) this.#send({ type: "ask", id, question });
    });
  }

  #handleMessage(message: FromWorker): void {
    if (message.type === "welcome") return;
    const entry = this.#entryById.get(message.id);
    if (message.type === "events") entry?.listener.onEvents(message.events);
    else entry?.listener.onReport(message.report);
  }

  #fallBackToPolling(): void {
    if (!this.#port) return;
    this.#port = null;
    for (const entry of this.#entryById.values()) entry.stopPolling = poll(entry.question, entry.listener);
  }

  #send(message: FromTab): void {
    this.#port?.postMessage(message);
  }
}

let connection: WorkerConnection | undefined;

/** Listen to new events until the returned function is called. One connection serves all tabs of the browser. */
export function listen(question: LiveQuestion, listener: LiveListener): () => void {
  connection ??= new WorkerConnection();
  return connection.listen(question, listener);
}
