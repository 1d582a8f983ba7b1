/** Drafts that this browser keeps: few, short, for some days, and only until their owner signs out (rules/boards#drafts). */
import { readStored, store, storedNames } from "./storage.ts";

/** What somebody was writing. */
export interface Draft<Value> {
  value: Value;
  /** What was saved when they began, as text: it tells whether somebody has saved something else since. */
  savedText: string;
}

/** Where a draft is kept. */
export type DraftName = `draft ${string}`;

export const MAX_DRAFTS = 20;
/** In UTF-16 units, with what was saved; browsers give an origin about five million. */
export const MAX_DRAFT_LENGTH = 100_000;
export const MAX_AGE_MS = 7 * 86_400_000;

/** Drafts that an earlier version of the app wrote in another form are not read. */
const FORMAT = "1";
const PREFIX = "draft ";
const listeners = new Set<() => void>();
const editorByName = new Map<DraftName, (draft: Draft<unknown>) => void>();

/** Return where the draft of a person is kept, by what it is about: "widget 01J9…". */
export const draftNameOf = (userId: string, workspaceId: string, subject: string): DraftName =>
  `${PREFIX}${userId} ${workspaceId} ${subject}`;

/** Return the draft that is kept under a name, or null. */
export function readDraft<Value>(name: DraftName, nowMs = Date.now()): Draft<Value> | null {
  const text = readStored(name);
  if (text === null || !isCurrent(text, nowMs)) return null;
  try {
    return JSON.parse(text.slice(text.indexOf("\n") + 1)) as Draft<Value>;
  } catch {
    return null;
  }
}

/** Keep a draft in place of the one before; one that is too long or finds no room is not kept at all. */
export function keepDraft(name: DraftName, draft: Draft<unknown>, nowMs = Date.now()): void {
  const text = `${FORMAT} ${nowMs}\n${JSON.stringify(draft)}`;
  if (readStored(name) === null) makeRoom(nowMs);
  const isStored = text.length <= MAX_DRAFT_LENGTH && store(name, text);
  if (!isStored) store(name, null);
  notify();
}

/** Keep a draft in place of the one before, and show it in the editor that is open on this page, if one is. */
export function handOverDraft(name: DraftName, draft: Draft<unknown>): void {
  keepDraft(name, draft);
  editorByName.get(name)?.(draft);
}

/** Call an open editor when somebody hands over a draft of its name. */
export function onDraftHandedOver(name: DraftName, showDraft: (draft: Draft<unknown>) => void): () => void {
  editorByName.set(name, showDraft);
  return () => void editorByName.delete(name);
}

/** Forget a draft: it was saved or discarded. */
export function forgetDraft(name: DraftName): void {
  if (readStored(name) === null) return;
  store(name, null);
  notify();
}

/** Forget the drafts of what has an id, and of what belonged to it: it was deleted, so no editor leads to them. */
export function forgetDraftsOf(id: string): void {
  for (const name of storedNames(PREFIX)) if (name.split(" ").includes(id)) store(name, null);
  notify();
}

/** Forget all drafts of this browser, as when somebody signs out. */
export function forgetDrafts(): void {
  for (const name of storedNames(PREFIX)) store(name, null);
  notify();
}

/** Return how many drafts this browser keeps. */
export const countDrafts = (): number => storedNames(PREFIX).length;

/** Return whether a draft is kept. */
export const isDraftKept = (name: DraftName): boolean => readStored(name) !== null;

/** Call back when drafts come or go, also in another tab. */
export function onDraftsChange(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** Return when a text was kept, in milliseconds since 1970. */
const timeOf = (text: string): number => Number.parseInt(text.slice(FORMAT.length + 1), 10);

const isCurrent = (text: string, nowMs: number): boolean =>
  text.startsWith(`${FORMAT} `) && nowMs - timeOf(text) <= MAX_AGE_MS;

/** Forget the drafts that are too old, and the oldest ones beyond the number that may stay beside a new one. */
function makeRoom(nowMs: number): void {
  const drafts = storedNames(PREFIX).map((name) => ({ name, text: readStored(name) ?? "" }));
  const newestFirst = drafts
    .filter(({ text }) => isCurrent(text, nowMs))
    .toSorted((one, other) => timeOf(other.text) - timeOf(one.text));
  const stayingNames = new Set(newestFirst.slice(0, MAX_DRAFTS - 1).map(({ name }) => name));
  for (const { name } of drafts) if (!stayingNames.has(name)) store(name, null);
}
