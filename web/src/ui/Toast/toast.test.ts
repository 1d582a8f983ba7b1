import { beforeEach, expect, test, vi } from "vitest";
import { dismiss, shownToasts, toast } from "./toast.ts";

vi.mock("../announce.ts", () => ({ announce: () => undefined }));

const texts = () => shownToasts().map(({ text }) => text);
const undo = { label: "Undo", onAct: () => undefined };

beforeEach(() => {
  for (const { id } of shownToasts()) dismiss(id);
});

test("of messages without anything to do, the newest three stand", () => {
  for (const text of ["a", "b", "c", "d"]) toast({ text });
  expect(texts()).toEqual(["b", "c", "d"]);
});

test("the same sentence stands once, unless it can undo something", () => {
  for (const text of ["a", "b", "a"]) toast({ text });
  expect(texts()).toEqual(["b", "a"]);
  for (const text of ["c", "c"]) toast({ text, action: undo });
  expect(texts()).toEqual(["a", "c", "c"]);
});

test("a message that can undo something is pushed away by none that cannot", () => {
  for (const text of ["a", "b", "c", "d"]) toast({ text, action: undo });
  toast({ text: "e" });
  expect(texts()).toEqual(["a", "b", "c", "d", "e"]);
  toast({ text: "f" });
  expect(texts()).toEqual(["a", "b", "c", "d", "f"]);
  for (const text of ["g", "h", "i"]) toast({ text, action: undo });
  expect(texts()).toEqual(["b", "c", "d", "g", "h", "i"]);
});
