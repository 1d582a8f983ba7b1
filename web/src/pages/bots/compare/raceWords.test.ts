import { expect, test } from "vitest";
import { crossingInWords, momentInWords, pictureAlt, viewNote } from "./raceWords.ts";

const NAMES = ["Encore", "Quill"];
const DAY = Date.UTC(2026, 10, 22, 14);
const note = { names: NAMES, baseMoment: "30 Aug 2026", leader: 0, missingNames: [] };

test("a crossing has its day", () => {
  expect(crossingInWords({ bucket: 3, passer: 0, passed: 1 }, NAMES, DAY)).toBe("Encore passes Quill, 22 Nov");
});

test("each view says how to read it", () => {
  expect(viewNote({ ...note, view: "value" })).toBe("");
  expect(viewNote({ ...note, view: "growth" })).toBe("Change since 30 Aug 2026, each line begins at 0\u2009%.");
  expect(viewNote({ ...note, view: "growth", missingNames: ["Quill"] })).toContain("0\u2009%. Quill: nothing above zero.");
  expect(viewNote({ ...note, view: "growth", baseMoment: null })).toBe("There is no moment at which all bots are above zero.");
  expect(viewNote({ ...note, view: "gap" })).toBe("Difference to Encore, which leads now.");
  expect(viewNote({ ...note, view: "value", missingNames: ["Quill"] })).toBe("Quill: no data.");
});

test("a moment of a short frame has its hour", () => {
  expect(momentInWords(DAY, "1d")).toBe("22 Nov 2026, 14:00");
  expect(momentInWords(DAY, "30d")).toBe("22 Nov 2026");
});

test("a picture is told by its bots, its counter and its view", () => {
  expect(pictureAlt([...NAMES, "Tamber"], "server_count", "growth", "90d")).toBe("Encore, Quill and Tamber: servers, growth, 90d");
  expect(pictureAlt(NAMES, "monthly_votes", "value", "1d")).toBe("Encore and Quill: monthly votes, 24h");
});
