import { expect, test } from "vitest";
import { listInWords } from "./lists.ts";

test("the last of several words stands behind an and", () => {
  expect(listInWords([])).toBe("");
  expect(listInWords(["Encore"])).toBe("Encore");
  expect(listInWords(["Encore", "Quill"])).toBe("Encore and Quill");
  expect(listInWords(["Encore", "Quill", "Tamber"])).toBe("Encore, Quill and Tamber");
});
