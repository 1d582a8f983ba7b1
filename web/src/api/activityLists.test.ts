import { expect, test } from "vitest";
import { listParameters } from "./activityLists.ts";

test("what the API assumes is not sent", () => {
  expect(listParameters({ q: "", sort: "events", filters: [] })).toEqual({});
});

test("text, order and filters are sent", () => {
  const filters = [{ key: "plan", op: "eq" as const, value: "pro" }];
  expect(listParameters({ q: "ann", sort: "lastSeen", filters })).toEqual({
    q: "ann",
    sort: "lastSeen",
    filters: '[{"key":"plan","op":"eq","value":"pro"}]',
  });
});
