import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

test("a list is a GET with its parameters", () => {
  const query = { environment: "production", from: "2026-11-20T00:00:00Z", q: undefined };
  expect(curlOf({ path: "/v1/actors", query })).toBe(
    `curl "$TALLYROOM_URL/v1/actors?environment=production&from=2026-11-20T00:00:00Z" \\\n` +
      `  -H "Authorization: Bearer $TALLYROOM_TOKEN"`,
  );
});

test("nothing in a parameter is read by the shell", () => {
  const found = curlOf({ path: "/v1/actors", query: { q: '"$(x)`!\\&' } });
  expect(found.split("\n")[0]).toBe(`curl "$TALLYROOM_URL/v1/actors?q=%22%24(x)%60%21%5C%26" \\`);
});

test("a list of filters is JSON", () => {
  expect(curlOf({ path: "/v1/events", query: { filters: [{ key: "a", op: "exists" }] } })).toContain("filters=%5B%7B%22key%22:%22a%22,");
});

test("a body stands in single quotes, whatever is in it", () => {
  const found = curlOf({ method: "POST", path: "/v1/keys", body: { name: "Ann's" } });
  expect(found).toContain(String.raw`-d '{"name":"Ann'\''s"}'`);
  expect(found).toContain(`-H "Content-Type: application/json"`);
  expect(found).not.toContain("-X");
});

test("other methods are named", () => {
  expect(curlOf({ method: "DELETE", path: "/v1/keys/1" })).toContain(`curl -X DELETE "$`);
  expect(curlOf({ method: "PATCH", path: "/v1/workspace", body: {} })).toContain("curl -X PATCH ");
  expect(curlOf({ method: "POST", path: "/v1/auth/logout" })).toContain("curl -X POST ");
});

test("events are sent with a key", () => {
  expect(curlOf({ method: "POST", path: "/v1/events", body: {}, by: "key" })).toContain("Bearer $TALLYROOM_KEY");
});
