import { expect, test } from "vitest";
import { grantableRoles, matchingPeople, peopleOf } from "./people.ts";

const member = { id: "1", email: "ann@example.com", name: "Ann Example", role: "owner" as const, joinedAt: "2026-11-01T00:00:00Z" };
const invite = {
  id: "2",
  email: "ben@example.com",
  role: "viewer" as const,
  createdAt: "2026-11-01T00:00:00Z",
  createdBy: "1",
  expiresAt: "2026-11-08T00:00:00Z",
};

test("who is invited stands behind the members", () => {
  expect(peopleOf([member], [invite]).map(({ kind, email }) => [kind, email])).toEqual([
    ["member", "ann@example.com"],
    ["invite", "ben@example.com"],
  ]);
});

test("people are found by name and by address", () => {
  const people = peopleOf([member], [invite]);
  expect(matchingPeople(people, " ANN exa").map(({ id }) => id)).toEqual(["1"]);
  expect(matchingPeople(people, "ben@").map(({ id }) => id)).toEqual(["2"]);
  expect(matchingPeople(people, " ")).toHaveLength(2);
  expect(matchingPeople(people, "nobody")).toEqual([]);
});

test("nobody gives a role above their own", () => {
  expect(grantableRoles("admin")).toEqual(["viewer", "developer", "admin"]);
  expect(grantableRoles("owner")).toContain("owner");
});
