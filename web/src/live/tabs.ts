import { type LiveQuestion, questionKey } from "./liveQuestion.ts";

/** How long the last tab that watches may be hidden until its stream ends. */
const HIDDEN_MS = 60_000;
/** A tab that says nothing for so long is gone; hidden tabs may speak only once a minute. */
const SILENT_MS = 150_000;

interface Tab {
  heardAt: number;
  hiddenSince: number | null;
  questions: Map<number, LiveQuestion>;
}

/** Who listens to a question: a tab, and the number that it gave the question. */
export interface Listener<Port> {
  port: Port;
  id: number;
}

/** The open tabs and what each of them listens to. Times are in milliseconds. */
export class Tabs<Port> {
  readonly #tabs = new Map<Port, Tab>();

  /** Note that a tab spoke; a tab is known from its first word on. */
  heard(port: Port, now: number): void {
    this.#tab(port, now).heardAt = now;
  }

  /** Note that a tab came to the front or went behind others. */
  turn(port: Port, hidden: boolean, now: number): void {
    const tab = this.#tab(port, now);
    tab.hiddenSince = hidden ? (tab.hiddenSince ?? now) : null;
  }

  ask(port: Port, id: number, question: LiveQuestion, now: number): void {
    this.#tab(port, now).questions.set(id, question);
  }

  drop(port: Port, id: number): void {
    this.#tabs.get(port)?.questions.delete(id);
  }

  leave(port: Port): void {
    this.#tabs.delete(port);
  }

  /** Forget the tabs that have said nothing for too long: they crashed, or were killed. */
  expire(now: number): void {
    for (const [port, { heardAt }] of this.#tabs) {
      if (now - heardAt > SILENT_MS) this.#tabs.delete(port);
    }
  }

  /** Return every question that is asked, by its key, and whether somebody watches it: its stream has to run. */
  questions(now: number): Map<string, { question: LiveQuestion; isWatched: boolean }> {
    const byKey = new Map<string, { question: LiveQuestion; isWatched: boolean }>();
    for (const { questions, hiddenSince } of this.#tabs.values()) {
      const watches = hiddenSince === null || now - hiddenSince < HIDDEN_MS;
      for (const question of questions.values()) {
        const key = questionKey(question);
        byKey.set(key, { question, isWatched: watches || (byKey.get(key)?.isWatched ?? false) });
      }
    }
    return byKey;
  }

  listeners(key: string): Listener<Port>[] {
    return [...this.#tabs].flatMap(([port, { questions }]) =>
      [...questions].filter(([, question]) => questionKey(question) === key).map(([id]) => ({ port, id })),
    );
  }

  #tab(port: Port, now: number): Tab {
    const existing = this.#tabs.get(port);
    if (existing) return existing;
    const tab: Tab = { heardAt: now, hiddenSince: null, questions: new Map() };
    this.#tabs.set(port, tab);
    return tab;
  }
}
