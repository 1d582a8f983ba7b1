import { expect, test } from "vitest";
import rows from "../../../fixtures/ids.json";
import { isId } from "./ids.ts";

test.each(rows)("$key", ({ key, id }) => {
  expect(isId(key)).toBe(id);
});
