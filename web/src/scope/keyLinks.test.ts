import { expect, test } from "vitest";
import { actorLink, groupLink, keyFromAddress } from "./keyLinks.ts";

test.each(["mira", "a/b c:é", "..", ".", "-", "%2e%2e", "🎉", "keys"])("the place of %j leads back to it", (key) => {
  const actor = actorLink(key);
  const group = groupLink(key, "team");
  expect(keyFromAddress(actor.params.actorKey, actor.search.key)).toBe(key);
  expect(keyFromAddress(group.params.groupKey, group.search.key)).toBe(key);
  expect(group.search.propKey).toBe("team");
});

test("no browser rewrites a place", () => {
  for (const key of ["..", ".", "a/../b"]) {
    const path = `/actors/${encodeURIComponent(actorLink(key).params.actorKey)}`;
    expect(new URL(path, "http://x").pathname).toBe(path);
  }
});
