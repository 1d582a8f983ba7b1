import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MAX_AGE_MS, MAX_DRAFTS, MAX_DRAFT_LENGTH, draftNameOf, forgetDraft, forgetDrafts, forgetDraftsOf, handOverDraft, isDraftKept, keepDraft, onDraftHandedOver, readDraft } from "./drafts.ts";
import { readStored, store } from "./storage.ts";

const NOW_MS = Date.UTC(2026, 10, 30);
const NAME = draftNameOf("ann", "acme", "widget new");
const DRAFT = { value: { title: "Orders" }, savedText: "{}" };

/** Keeps its items as properties, as that of a browser does, up to a number of them. */
function fakeStorage(maxItems = Infinity): Storage {
  const items: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => items[name] ?? null,
    removeItem: (name: string) => void Reflect.deleteProperty(items, name),
    setItem: (name: string, text: string) => {
      if (Object.keys({ ...items, [name]: text }).length > maxItems) throw new DOMException("full", "QuotaExceededError");
      items[name] = text;
    },
  };
  return new Proxy(items, { get: (_, name) => Reflect.get(methods, name) as unknown }) as unknown as Storage;
}

const nameOf = (number: number) => draftNameOf("ann", "acme", `widget ${number}`);

beforeEach(() => void vi.stubGlobal("localStorage", fakeStorage()));
afterEach(() => void vi.unstubAllGlobals());

test("what is kept is read again, by the same person in the same workspace only", () => {
  keepDraft(NAME, DRAFT, NOW_MS);
  expect(readDraft(NAME, NOW_MS)).toEqual(DRAFT);
  expect(readDraft(draftNameOf("ben", "acme", "widget new"), NOW_MS)).toBeNull();
  expect(readDraft(draftNameOf("ann", "other", "widget new"), NOW_MS)).toBeNull();
});

test("a draft that is handed over is kept, and shown in the editor that is open", () => {
  const shown: unknown[] = [];
  const close = onDraftHandedOver(NAME, (draft) => shown.push(draft));
  handOverDraft(NAME, DRAFT);
  handOverDraft(nameOf(1), DRAFT);
  close();
  handOverDraft(NAME, { ...DRAFT, savedText: "" });
  expect(shown).toEqual([DRAFT]);
  expect(readDraft(NAME)).toEqual({ ...DRAFT, savedText: "" });
});

test("a draft that was saved or discarded is forgotten, the others are not", () => {
  keepDraft(NAME, DRAFT, NOW_MS);
  keepDraft(nameOf(1), DRAFT, NOW_MS);
  forgetDraft(NAME);
  expect([isDraftKept(NAME), isDraftKept(nameOf(1))]).toEqual([false, true]);
});

test("what is deleted takes its drafts along, and those of what belonged to it", () => {
  const names = ["widget board card", "widget new board funnel", "dashboard board", "widget other card-2"].map((subject) => draftNameOf("ann", "acme", subject));
  for (const name of names) keepDraft(name, DRAFT, NOW_MS);
  forgetDraftsOf("board");
  expect(names.map(isDraftKept)).toEqual([false, false, false, true]);
});

test("signing out forgets every draft and nothing else", () => {
  store("theme", "dark");
  keepDraft(NAME, DRAFT, NOW_MS);
  forgetDrafts();
  expect([readStored("theme"), isDraftKept(NAME)]).toEqual(["dark", false]);
});

test("a draft of more than a week ago is not read, and goes when another comes", () => {
  keepDraft(NAME, DRAFT, NOW_MS);
  expect(readDraft(NAME, NOW_MS + MAX_AGE_MS)).toEqual(DRAFT);
  expect(readDraft(NAME, NOW_MS + MAX_AGE_MS + 1)).toBeNull();
  keepDraft(nameOf(1), DRAFT, NOW_MS + MAX_AGE_MS + 1);
  expect(isDraftKept(NAME)).toBe(false);
});

test("beyond the number that may be kept, the one that was written to longest ago goes", () => {
  for (let number = 0; number < MAX_DRAFTS; number += 1) keepDraft(nameOf(number), DRAFT, NOW_MS + number);
  keepDraft(nameOf(0), DRAFT, NOW_MS + MAX_DRAFTS);
  keepDraft(NAME, DRAFT, NOW_MS + MAX_DRAFTS + 1);
  expect([0, 1, 2].map((number) => isDraftKept(nameOf(number)))).toEqual([true, false, true]);
});

test("a draft that is too long leaves none behind, and an older part of it neither", () => {
  keepDraft(NAME, DRAFT, NOW_MS);
  keepDraft(NAME, { ...DRAFT, value: "x".repeat(MAX_DRAFT_LENGTH) }, NOW_MS);
  expect(isDraftKept(NAME)).toBe(false);
});

test("a browser without room or without storage keeps nothing, and nothing breaks", () => {
  vi.stubGlobal("localStorage", fakeStorage(0));
  keepDraft(NAME, DRAFT, NOW_MS);
  expect(isDraftKept(NAME)).toBe(false);
  vi.stubGlobal("localStorage", undefined);
  keepDraft(NAME, DRAFT, NOW_MS);
  forgetDrafts();
  expect(readDraft(NAME, NOW_MS)).toBeNull();
});

test("what another version of the app or a stranger has written is not read", () => {
  for (const text of ["0 1790000000000\n{}", "1 x\n{}", `1 ${NOW_MS}\n{`, "{}"]) {
    store(NAME, text);
    expect(readDraft(NAME, NOW_MS)).toBeNull();
  }
});
