import { expect, test } from "vitest";
import { matchCountInWords, matchingOptions } from "./matches.ts";

const options = [{ value: "track.play" }, { value: "play.next" }, { value: "name", label: "Event name" }];

test("what begins with the text comes before what holds it", () => {
  expect(matchingOptions(options, "PLAY").map(({ value }) => value)).toEqual(["play.next", "track.play"]);
});

test("both the label and the value are searched", () => {
  expect(matchingOptions(options, "event")).toHaveLength(1);
  expect(matchingOptions(options, "nam")).toHaveLength(1);
});

test("an empty text finds all in their order, an unknown one none", () => {
  expect(matchingOptions(options, " ")).toEqual(options);
  expect(matchingOptions(options, "zebra")).toEqual([]);
});

test("the count is said in words", () => {
  expect([0, 1, 1200].map(matchCountInWords)).toEqual(["No matches", "1 match", "1,200 matches"]);
});
