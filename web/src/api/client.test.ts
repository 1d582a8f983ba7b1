import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "./errors.ts";
import { GET, POST, answer } from "./client.ts";

const asked: Request[] = [];

function answers(body: string | null, init: ResponseInit = {}): void {
  asked.length = 0;
  vi.stubGlobal("fetch", (request: Request) => {
    asked.push(request);
    return Promise.resolve(new Response(body, init));
  });
}

afterEach(() => void vi.unstubAllGlobals());

test("a path has its names, and a query what is said, each several times if it is a list", async () => {
  answers("[]");
  await GET("/v1/dashboards/{dashboard_id}" as never, { params: { path: { dashboard_id: "a/b c" }, query: { name: "x&y", key: ["a", "b"], none: null, absent: undefined, zero: 0 } } } as never);
  expect(asked[0]?.url).toBe("http://localhost/v1/dashboards/a%2Fb%20c?name=x%26y&key=a&key=b&zero=0");
  expect([asked[0]?.method, asked[0]?.headers.get("content-type")]).toEqual(["GET", null]);
});

test("a body is JSON unless the caller has written it", async () => {
  answers("{}", { status: 201 });
  await POST("/v1/keys" as never, { body: { name: "a" } } as never);
  expect([await asked[0]?.text(), asked[0]?.headers.get("content-type")]).toEqual(['{"name":"a"}', "application/json"]);
  await POST("/v1/events" as never, { body: "[1]", bodySerializer: (text: string) => text, headers: { "Idempotency-Key": "k" } } as never);
  expect([await asked[1]?.text(), asked[1]?.headers.get("idempotency-key")]).toEqual(["[1]", "k"]);
});

test("an answer is JSON, text or nothing", async () => {
  answers('{"a":1}');
  expect(await answer(GET("/readyz"))).toEqual({ a: 1 });
  expect(await answer(GET("/readyz", { parseAs: "text" }))).toBe('{"a":1}');
  answers(null, { status: 204 });
  expect(await answer(GET("/readyz"))).toBeUndefined();
});

test("a refusal is an error with what the server said, JSON or not", async () => {
  answers('{"error":"not_found","message":"No."}', { status: 404 });
  await expect(answer(GET("/readyz", { parseAs: "text" }))).rejects.toMatchObject({ status: 404, slug: "not_found" });
  answers("<html>", { status: 502 });
  await expect(answer(GET("/readyz"))).rejects.toBeInstanceOf(ApiError);
});

test("a server that cannot be reached is offline, and who has left is not told", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
  await expect(GET("/readyz")).rejects.toMatchObject({ status: 0, slug: "offline" });
  vi.stubGlobal("fetch", () => Promise.reject(new DOMException("left", "AbortError")));
  await expect(GET("/readyz")).rejects.toMatchObject({ name: "AbortError" });
});
