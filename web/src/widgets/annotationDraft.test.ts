import { expect, test } from "vitest";
import { draftAt, draftOfAnnotation, fieldsOfDraft } from "./annotationDraft.ts";

const BERLIN = "Europe/Berlin";
const at = { time: "2026-01-02T03:04:05.678Z", timeEnd: null };
const saved = {
  id: "a",
  environment: "production",
  label: "Ad week",
  description: null,
  color: "#0072B2",
  time: "2026-11-18T00:00:00.000Z",
  timeEnd: "2026-11-25T00:00:00.000Z",
  createdAt: "2026-11-18T00:00:00.000Z",
  key: null,
};

test("a moment is written on the clocks of the zone, and stays exact while nobody changes it", () => {
  const draft = { ...draftAt(at.time, BERLIN), label: " v4.2 ", description: " " };
  expect(draft.time).toBe("2026-01-02T04:04");
  expect(fieldsOfDraft(draft, at, BERLIN)).toEqual({ label: "v4.2", description: null, time: at.time, timeEnd: null, color: "#1853c6" });
});

test("a changed time is read on the clocks of the zone", () => {
  const draft = { ...draftAt(at.time, BERLIN), time: "2026-07-01T12:00", timeEnd: "2026-07-01T13:30" };
  expect(fieldsOfDraft(draft, at, BERLIN)).toMatchObject({ time: "2026-07-01T10:00:00.000Z", timeEnd: "2026-07-01T11:30:00.000Z" });
});

test("an annotation that exists is its own draft", () => {
  const { label, description, color, time, timeEnd } = saved;
  expect(fieldsOfDraft(draftOfAnnotation(saved, BERLIN), saved, BERLIN)).toEqual({ label, description, color, time, timeEnd });
});

test("without an end it is a moment", () => {
  expect(fieldsOfDraft({ ...draftOfAnnotation(saved, BERLIN), timeEnd: "" }, saved, BERLIN).timeEnd).toBeNull();
});
