import { describe, expect, test } from "vitest";
import { ApiError } from "./errors.ts";
import { errorInLine, errorInWords } from "./words.ts";

const refusal = (status: number, retryAfter: number | null = null) =>
  new ApiError(status, { error: "any", message: "What the server said.", requestId: "req-1" }, retryAfter);

describe("an error in words", () => {
  test("a throttle says how long", () => {
    expect(errorInWords(refusal(429, 34)).detail).toBe("Try again in 34 s.");
    expect(errorInWords(refusal(429, 840)).detail).toBe("Try again in 14 min.");
    expect(errorInWords(refusal(429)).detail).toBe("Try again shortly.");
  });

  test("a busy server gives its advice once", () => {
    const busy = new ApiError(503, { error: "unavailable", message: "The event store failed. Try again." }, 5);
    expect(errorInWords(busy).detail).toBe("The event store failed. Try again in 5 s.");
  });

  test("only failures of the server carry the request", () => {
    expect(errorInWords(refusal(500)).requestId).toBe("req-1");
    expect(errorInWords(refusal(403)).requestId).toBeNull();
  });

  test("what the server said stands where it knows better", () => {
    for (const status of [402, 403, 409, 413]) expect(errorInWords(refusal(status)).detail).toBe("What the server said.");
  });

  test("each known status has a title of its own", () => {
    const titles = [0, 401, 402, 403, 404, 413, 429, 500, 503].map((status) => errorInWords(refusal(status)).title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test("an error of the page itself says so", () => {
    expect(errorInWords(new TypeError("x is undefined")).detail).not.toContain("undefined");
  });
});

test("one line says what the server said about the request, and all of it about the server", () => {
  expect(errorInLine(refusal(409))).toBe("What the server said.");
  expect(errorInLine(refusal(0))).toBe("Can't reach the server. Try again when you're connected.");
  expect(errorInLine(refusal(500))).toBe("An internal error occurred. Try again, or search the server's log for request req-1.");
  expect(errorInLine(refusal(429, 5))).toBe("Too many requests. Try again in 5 s.");
});
