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
  readonly #tabByPort = new Map<Port, Tab>();

  /** Note that a tab spoke; a tab is known from its first word on. */
  noteHeard(port: Port, now: number): void {
    this.#tabOf(port, now).heardAt = now;
  }

  /** Note that a tab came to the front or went behind others. */
  setHidden(port: Port, isHidden: boolean, now: number): void {
    const tab = this.#tabOf(port, now);
    tab.hiddenSince = isHidden ? (tab.hiddenSince ?? now) : null;
  }

  addQuestion(port: Port, id: number, question: LiveQuestion, now: number): void {
    this.#tabOf(port, now).questions.set(id, question);
  }

  removeQuestion(port: Port, id: number): void {
    this.#tabByPort.get(port)?.questions.delete(id);
  }

  removeTab(port: Port): void {
    this.#tabByPort.delete(port);
  }

  /** Forget the tabs that have said nothing for too long: they crashed, or were killed. */
  removeSilentTabs(now: number): void {
    for (const [port, { heardAt }] of this.#tabByPort) {
      if (now - heardAt > SILENT_MS) this.#tabByPort.delete(port);
    }
  }

  /** Return every question that is asked, by its key, and whether somebody watches it: its stream has to run. */
  questionsByKey(now: number): Map<string, { question: LiveQuestion; isWatched: boolean }> {
    const questionByKey = new Map<string, { question: LiveQuestion; isWatched: boolean }>();
    for (const { questions, hiddenSince } of this.#tabByPort.values()) {
      const isWatching = hiddenSince === null || now - hiddenSince < HIDDEN_MS;
      for (const question of questions.values()) {
        const key = questionKey(question);
        questionByKey.set(key, { question, isWatched: isWatching || (questionByKey.get(key)?.isWatched ?? false) });
      }
    }
    return questionByKey;
  }

  listenersOf(key: string): Listener<Port>[] {
    return [...this.#tabByPort].flatMap(([port, { questions }]) =>
      [...questions].filter(([, question]) => questionKey(question) === key).map(([id]) => ({ port, id })),
    );
  }

  #tabOf(port: Port, now: number): Tab {
    const existingTab = this.#tabByPort.get(port);
    if (existingTab) return existingTab;
    const tab: Tab = { heardAt: now, hiddenSince: null, questions: new Map() };
    this.#tabByPort.set(port, tab);
    return tab;
  }
}
