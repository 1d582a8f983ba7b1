import { expect, test } from "vitest";
import { droppedParts, filtersOf, appPath, parseSearch, scopeSearch, timeRangeOf, stringifySearch, withFilters, withTimeRange, withWorkspace } from "./search.ts";

test("a query string stays readable", () => {
  const search = { env: "production", range: "7d", f: ["plan:eq:pro", "amount:gt:5"], q: "a b&c=ü" };
  const text = stringifySearch(search);
  expect(text).toBe("?env=production&range=7d&f=plan:eq:pro&f=amount:gt:5&q=a%20b%26c%3D%C3%BC");
  expect(parseSearch(text)).toEqual(search);
});

test("numbers and JSON in a query string stay text", () => {
  expect(parseSearch("?q=12&x=%7B%22a%22%3A1%7D&n=null")).toEqual({ q: "12", x: '{"a":1}', n: "null" });
});

test("only what has a value is written", () => {
  expect(stringifySearch({ env: undefined, f: [], seg: null })).toBe("");
});

test("what is malformed is left out", () => {
  const raw = parseSearch("?range=8d&f=nonsense&f=a:eq:1&from=x&to=2026-01-01&env=&__proto__=1&constructor=2");
  expect(scopeSearch(raw)).toEqual({ f: ["a:eq:1"] });
});

test("a time range is a name, or two moments in order", () => {
  expect(timeRangeOf(scopeSearch(parseSearch("?range=mtd")))).toEqual({ timeRange: "mtd" });
  const moments = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
  expect(timeRangeOf(scopeSearch(parseSearch("?from=2026-01-01&to=2026-02-01T00:00Z&range=7d")))).toEqual(moments);
  expect(timeRangeOf(scopeSearch(parseSearch("?from=2026-02-01&to=2026-01-01&range=7d")))).toEqual({ timeRange: "7d" });
});

test("a time range replaces the one before and leaves the rest", () => {
  const moments = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
  expect(withTimeRange({ env: "x", ...moments }, { timeRange: "7d" })).toEqual({ env: "x", range: "7d" });
  expect(withTimeRange({ env: "x", range: "7d" }, moments)).toEqual({ env: "x", ...moments });
  expect(withTimeRange({ env: "x", range: "7d" }, undefined)).toEqual({ env: "x" });
});

test("filters come back from a search as they were put in", () => {
  const filters = [{ key: "plan", op: "in" as const, value: ["a", "b"] }];
  expect(filtersOf(withFilters({}, filters))).toEqual(filters);
  expect(withFilters({ f: ["a:eq:1"], env: "x" }, [])).toEqual({ env: "x" });
});

test("parameters that mean nothing to a page are named", () => {
  const taken = { env: "a", f: ["plan:eq:pro"], from: "2026-01-01T00:00:00.000Z" };
  const raw = parseSearch("?env=a&colour=red&f=plan:eq:pro&f=plan&from=2026-01-01&q=");
  expect(droppedParts(raw, taken)).toEqual(["colour=red", "f=plan"]);
  expect(droppedParts(parseSearch("?f=plan"), {})).toEqual(["f=plan"]);
});

test("only paths of this app are taken as the next page", () => {
  expect(appPath("/d/1?env=staging")).toBe("/d/1?env=staging");
  for (const other of ["//elsewhere.example", String.raw`/\elsewhere.example`, "/\t/elsewhere.example", "/.//elsewhere.example", "https://elsewhere.example", "javascript:1", "", undefined]) {
    expect(appPath(other)).toBeUndefined();
  }
});

test("an address that leaves the app says whose page it is, once, and stays readable", () => {
  const href = "https://tally.example.com/d/1?range=7d&f=plan:eq:pro#w2";
  const address = "https://tally.example.com/d/1?range=7d&f=plan:eq:pro&w=ws1#w2";
  expect(withWorkspace(href, "ws1")).toBe(address);
  expect(withWorkspace(address, "ws1")).toBe(address);
  expect(scopeSearch(parseSearch("?w=ws1"))).toEqual({ w: "ws1" });
});
