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
  stop?: () => void;
}

/** This tab's line to the worker; where there is none, each question is polled. */
class Line {
  readonly #entries = new Map<number, Entry>();
  #port: MessagePort | null;
  #next = 1;

  constructor() {
    this.#port = this.#opened();
  }

  listen(question: LiveQuestion, listener: LiveListener): () => void {
    const id = this.#next;
    this.#next += 1;
    const entry: Entry = { question, listener };
    this.#entries.set(id, entry);
    if (this.#port) this.#say({ type: "ask", id, question });
    else entry.stop = poll(question, listener);
    return () => {
      this.#entries.delete(id);
      if (entry.stop) entry.stop();
      else this.#say({ type: "drop", id });
    };
  }

  #opened(): MessagePort | null {
    if (!("SharedWorker" in globalThis)) return null;
    try {
      const worker = new SharedWorker(workerAddress(), { type: "module", name: "tallyroom live" });
      worker.addEventListener("error", () => this.#giveUp());
      this.#attend(worker.port);
      return worker.port;
    } catch {
      return null;
    }
  }

  #attend(port: MessagePort): void {
    const timer = setTimeout(() => this.#giveUp(), WELCOME_MS);
    port.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      clearTimeout(timer);
      this.#take(data);
    });
    port.start();
    setInterval(() => this.#say({ type: "here" }), HERE_MS);
    const reportVisibility = () => this.#say({ type: "turn", hidden: document.hidden });
    port.postMessage({ type: "turn", hidden: document.hidden } satisfies FromTab);
    document.addEventListener("visibilitychange", reportVisibility);
    addEventListener("pagehide", () => this.#say({ type: "leave" }));
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      reportVisibility();
      for (const [id, { question }] of this.#entries) this.#say({ type: "ask", id, question });
    });
  }

  #take(message: FromWorker): void {
    if (message.type === "welcome") return;
    const entry = this.#entries.get(message.id);
    if (message.type === "events") entry?.listener.onEvents(message.events);
    else entry?.listener.onReport(message.report);
  }

  #giveUp(): void {
    if (!this.#port) return;
    this.#port = null;
    for (const entry of this.#entries.values()) entry.stop = poll(entry.question, entry.listener);
  }

  #say(message: FromTab): void {
    this.#port?.postMessage(message);
  }
}

let line: Line | undefined;

/** Listen to new events until the returned function is called. One connection serves all tabs of the browser. */
export function listen(question: LiveQuestion, listener: LiveListener): () => void {
  line ??= new Line();
  return line.listen(question, listener);
}
