import { expect, test } from "vitest";
import { ApiError } from "../../api/errors.ts";
import { recipientsIn, recipientsInWords, recipientsProblem } from "./recipients.ts";

test("addresses are separated as people separate them", () => {
  expect(recipientsIn(" a@x.io, b@x.io;c@x.io\n\nd@x.io ")).toEqual(["a@x.io", "b@x.io", "c@x.io", "d@x.io"]);
  expect(recipientsIn(" \n")).toEqual([]);
});

test("the first two are named", () => {
  expect(recipientsInWords(["a@x.io"])).toBe("a@x.io");
  expect(recipientsInWords(["a@x.io", "b@x.io", "c@x.io"])).toBe("a@x.io, b@x.io and 1 more");
});

test("each address that is wrong is named", () => {
  const details = [
    { path: ["recipients", 1], message: "is not an email address" },
    { path: ["name"], message: "is too long" },
  ];
  const error = new ApiError(400, { message: "no", details });
  expect(recipientsProblem(error, ["a@x.io", "b"])).toBe("b is not an email address.");
  expect(recipientsProblem(new ApiError(400, { message: "no" }), ["b"])).toBeNull();
  expect(recipientsProblem(null, Array.from({ length: 21 }, (_, index) => `${index}@x.io`))).toBe("Enter at most 20 recipients. You entered 21.");
});
