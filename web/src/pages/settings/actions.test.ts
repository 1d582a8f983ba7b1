import { expect, test } from "vitest";
import { actionOf } from "./actions.ts";

const entry = { id: "1", at: "2026-11-20T12:00:00.000Z", by: null, subject: "0192" };

test("a thing is called by its name, not by its id", () => {
  const found = actionOf({ ...entry, action: "key.create", details: { name: "Web shop", environment: "production" } });
  expect(found).toEqual({ words: "created key", subject: "Web shop", change: "" });
});

test("without a name, the subject stands for itself", () => {
  expect(actionOf({ ...entry, action: "environment.delete", subject: "staging", details: {} }).subject).toBe("staging");
});

test("what changed is told", () => {
  const role = actionOf({ ...entry, action: "member.role", details: { email: "ann@example.com", from: "viewer", to: "admin" } });
  expect(role).toEqual({ words: "changed the role of", subject: "ann@example.com", change: "viewer → admin" });
  const kept = actionOf({ ...entry, action: "environment.update", subject: "staging", details: { retentionDays: 30, before: null } });
  expect(kept.change).toBe("retentionDays: none → 30");
});

test("of the workspace itself, only what changed is told", () => {
  const found = actionOf({ ...entry, action: "workspace.update", details: { timezone: "Europe/Berlin" } });
  expect(found).toEqual({ words: "changed the workspace", subject: "", change: "timezone: Europe/Berlin" });
});

test("published rows are told with the dashboard that shows them", () => {
  const table = { name: "Newest", dashboard: "Shop", dashboardId: "0193", isPublic: true };
  const published = actionOf({ ...entry, action: "widget.publish_rows", details: table });
  expect(published).toEqual({ words: "published the rows of widget", subject: "Newest", change: "on public dashboard Shop" });
  const withheld = actionOf({ ...entry, action: "widget.withhold_rows", details: { ...table, name: "", isPublic: false } });
  expect(withheld).toEqual({ words: "unpublished the rows of widget", subject: "0192", change: "on private dashboard Shop" });
  const board = { name: "Shop", environment: "production", rowsOf: "Newest, Orders" };
  expect(actionOf({ ...entry, action: "dashboard.publish", details: board }).change).toBe("with the rows of Newest, Orders");
});

test("a word that is new is shown as it is", () => {
  expect(actionOf({ ...entry, action: "moon.land", details: null }).words).toBe("moon.land");
});
