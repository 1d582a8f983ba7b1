import { announce } from "../announce.ts";

export interface ToastWords {
  /** What happened. */
  text: string;
  /** The one thing to do about it: undo, as a rule. */
  action?: { label: string; onAct: () => void };
  tone?: "plain" | "error";
}

export interface ShownToast extends ToastWords {
  id: number;
}

const MAX_TOASTS = 3;
let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Say in passing what happened. It is announced, and goes after 10 s. */
export function toast(words: ToastWords): void {
  lastId += 1;
  setToasts([...toasts, { ...words, id: lastId }].slice(-MAX_TOASTS));
  announce(words.action ? `${words.text} ${words.action.label} is at the end of the page.` : words.text);
}

/** Take a message away. */
export function dismiss(id: number): void {
  setToasts(toasts.filter((entry) => entry.id !== id));
}

/** Call back whenever the messages change. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Return the messages on screen, oldest first. */
export const shownToasts = (): readonly ShownToast[] => toasts;

function setToasts(nextToasts: readonly ShownToast[]): void {
  toasts = nextToasts;
  for (const listener of listeners) listener();
}
