import { expect, test } from "vitest";
import { ApiError } from "./errors.ts";
import { errorAbout, errorsAbout } from "./fieldErrors.ts";

const refused = new ApiError(400, {
  error: "validation_failed",
  message: "Invalid.",
  details: [{ path: ["email"], message: "is not an address" }],
});

test("a field says what is wrong with it, under its own name", () => {
  expect(errorAbout(refused, "email", "Email")).toBe("Email is not an address.");
  expect(errorAbout(refused, "name", "Name")).toBeNull();
  expect(errorAbout(new Error("no"), "email", "Email")).toBeNull();
});

test("a form says in one line what none of its fields says", () => {
  expect(errorsAbout(refused, { name: "Name", email: "Email" })).toEqual({ errorByField: { name: null, email: "Email is not an address." }, otherError: null });
  expect(errorsAbout(refused, { name: "Name" })).toEqual({ errorByField: { name: null }, otherError: "Invalid." });
  expect(errorsAbout(null, { name: "Name" })).toEqual({ errorByField: { name: null }, otherError: null });
});
