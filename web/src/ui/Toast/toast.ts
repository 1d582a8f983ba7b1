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

/** More than this do not stand at once, unless they have something to do. */
const MAX_TOASTS = 3;
/** More than this hide the page. */
const MAX_STACK = 6;
let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Say in passing what happened. It is announced, and goes after 10 s. What is said again stands once. */
export function toast(words: ToastWords): void {
  lastId += 1;
  const otherToasts = toasts.filter(({ text, action }) => text !== words.text || action);
  setToasts(withRoom([...otherToasts, { ...words, id: lastId }]));
  announce(words.action ? `${words.text} ${words.action.label} is at the end of the page.` : words.text);
}

/** Return messages without the oldest ones beyond what may stand at once; those with something to do go last. */
function withRoom(allToasts: readonly ShownToast[]): readonly ShownToast[] {
  const surplus = allToasts.filter(({ action }) => !action).slice(0, Math.max(0, allToasts.length - MAX_TOASTS));
  return allToasts.filter((entry) => !surplus.includes(entry) || entry.id === lastId).slice(-MAX_STACK);
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
