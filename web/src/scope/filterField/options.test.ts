import { expect, test } from "vitest";
import { OPERATORS } from "../filters.ts";
import { readFilter } from "./filterText.ts";
import { type FilterOffer, optionsFor } from "./options.ts";

const OFFER: FilterOffer = {
  keys: [{ value: "origin", detail: "string" }, { value: "plan name", detail: "string" }, { value: "amount", detail: "number" }],
  types: new Map([
    ["origin", ["string"]],
    ["plan name", ["string"]],
    ["amount", ["number"]],
  ]),
  values: [{ value: "JFK", detail: "1,234" }, { value: "AMS or so" }, { value: "not set" }, { value: "a, b" }],
  others: [{ value: "Segment Paying" }],
};

const values = (text: string, isUntouched = false): string[] => optionsFor(text, OFFER, isUntouched).map(({ value }) => value);
const labels = (text: string): string[] => optionsFor(text, OFFER).map(({ label, value }) => label ?? value);

test("first come the keys, and other texts that stand for something", () => {
  expect(values("")).toEqual(["origin ", '"plan name" ', "amount ", "Segment Paying"]);
  expect(values("pa")).toEqual(["Segment Paying"]);
  expect(values("NAME")).toEqual(['"plan name" ']);
});

test("after a key come all operators, or those that begin as it is written", () => {
  expect(labels("origin ")).toEqual(Object.values(OPERATORS));
  expect(values("origin is n")).toContain("origin is not ");
  expect(values("origin is not s")).toContain("origin is not set");
});

test("after an operator come the values, each so that it reads as itself", () => {
  expect(values("origin is ")).toEqual(["origin is JFK", "origin is AMS or so", 'origin is "not set"', "origin is a, b"]);
  for (const value of values("origin is ")) expect(readFilter(value, OFFER.types)).toHaveProperty("filter.key", "origin");
  expect(labels("origin is j")).toEqual(["origin is j", "JFK", "or …"]);
});

test("a list goes on with what it does not have yet", () => {
  expect(values("origin is one of ")[0]).toBe("origin is one of JFK");
  expect(values("origin is one of JFK, ")).toContain('origin is one of JFK, "a, b"');
  expect(values("origin is one of JFK, ")).not.toContain("origin is one of JFK, JFK");
  expect(optionsFor("origin is one of JFK", OFFER)[0]).toEqual({ value: "origin is one of JFK", label: "origin is one of JFK", detail: "add" });
});

test("a saved filter that nobody has changed yet offers all values", () => {
  expect(values("origin is JFK")).not.toContain('origin is "not set"');
  expect(values("origin is JFK", true)).toContain('origin is "not set"');
});

test("after a whole filter another condition can follow, up to ten", () => {
  expect(values("origin is JFK").at(-1)).toBe("origin is JFK or ");
  expect(values("origin is JFK or amo")).toEqual(["origin is JFK or amount "]);
  const ten = Array.from({ length: 10 }, () => "amount > 1").join(" or ");
  expect(values(ten).at(-1)).not.toBe(`${ten} or `);
});

test("a filter of a key that was never seen is not offered, as it is asked about first", () => {
  expect(values("never.seen is 5")).toEqual([]);
  expect(values("origin is JFK or never.seen is 5")).toEqual([]);
});
