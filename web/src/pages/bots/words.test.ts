import { expect, test } from "vitest";
import { briefId, nameOfVoter, ordinal, formatSigned } from "./words.ts";

test.each([
  [1, "1st"], [2, "2nd"], [3, "3rd"], [4, "4th"], [11, "11th"], [12, "12th"], [13, "13th"],
  [21, "21st"], [100, "100th"], [111, "111th"], [1_022, "1,022nd"], [0, "–"],
])("rank %i is %s", (rank, words) => {
  expect(ordinal(rank)).toBe(words);
});

test("a change has its sign", () => {
  expect([formatSigned(31), formatSigned(0), formatSigned(-1)]).toEqual(["+31", "0", "−1"]);
});

test("an id is told by its ends", () => {
  expect(briefId("205680187394752512")).toBe("2056…2512");
});

test("a voter without a name is named by their id, briefly", () => {
  expect(nameOfVoter("205680187394752512", "Robin")).toBe("Robin");
  expect(nameOfVoter("205680187394752512", "205680187394752512")).toBe("Voter 2056…2512");
  expect(nameOfVoter("205680187394752512", undefined)).toBe("Voter 2056…2512");
});
