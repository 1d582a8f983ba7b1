import { expect, test } from "vitest";
import { actorPlace, groupPlace, keyAt } from "./places.ts";

test.each(["mira", "a/b c:é", "..", ".", "-", "%2e%2e", "🎉", "keys"])("the place of %j leads back to it", (key) => {
  const actor = actorPlace(key);
  const group = groupPlace(key, "team");
  expect(keyAt(actor.params.actorKey, actor.search.key)).toBe(key);
  expect(keyAt(group.params.groupKey, group.search.key)).toBe(key);
  expect(group.search.propKey).toBe("team");
});

test("no browser rewrites a place", () => {
  for (const key of ["..", ".", "a/../b"]) {
    const path = `/actors/${encodeURIComponent(actorPlace(key).params.actorKey)}`;
    expect(new URL(path, "http://x").pathname).toBe(path);
  }
});
